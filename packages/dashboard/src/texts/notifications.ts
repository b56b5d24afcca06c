export const notificationsTexts = {
  title: 'Notifications',
  short: 'Which emails you get about sales, disputes and failed payments.',
  choose: 'Choose your emails',
  lead: (email: string) =>
    `Which emails you get at ${email}. Your colleagues choose for themselves.`,
  off: 'No emails are sent, because no mail server is set for production. Your choices apply once there is one.',
  held: 'No emails are sent while this installation is on hold.',
  sandbox: 'Sandbox',
  sandboxHint: 'Nothing is sent about the sandbox unless you choose it here.',
  none: 'There is no application yet.',
  kinds: {
    digest: [
      'Daily summary',
      'Each morning: yesterday’s net revenue, subscribers who joined and left, and what needs attention. Not sent if there is nothing to report.',
    ],
    dispute: ['Disputes', 'When a payment is disputed, and when a dispute is won or lost.'],
    payment_failed: [
      'Failed renewals',
      'When a charge is refused, and when a subscription ends unpaid. At most one email an hour.',
    ],
    refund_failed: ['Failed refunds', 'When a refund fails or is returned.'],
    webhook_failed: [
      'Failing webhooks',
      'When an endpoint has been failing for an hour or a day, and when it is switched off.',
    ],
    sale: [
      'Sales',
      'Purchases and first payments of subscriptions, not renewals. At most one email in ten minutes.',
    ],
  },
  saved: (kind: string, on: boolean) => `${kind}: ${on ? 'on' : 'off'}.`,
} as const
