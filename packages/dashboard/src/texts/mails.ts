import { pluralize } from '../format.ts'

export const mailsTexts = {
  to: 'To',
  kind: 'Email',
  when: 'When',
  problem: 'Problem',
  erased: 'Erased person',
  searchFor: 'Email address or ID',
  states: { waiting: 'Queued', sent: 'Sent', kept: 'Not sent', dead: 'Failed' },
  kinds: {
    grant: 'Access granted',
    receipt: 'Receipt',
    payment_failed: 'Payment failed',
    trial_ends: 'Trial ends soon',
    canceled: 'Subscription canceled',
    refunded: 'Refund',
    address_changed: 'Email address changed',
  },
  keptLead:
    'No mail server is set up, so emails are not sent. You can read them here. To send emails, an owner connects a mail server under Settings, Mail.',
  created: 'Created',
  sent: 'Sent',
  tries: 'Attempts',
  nextTry: 'Next attempt',
  lastError: (error: string) => `The last attempt failed: ${error}`,
  dead: 'Sending failed too many times. The address may be wrong, or the mail server refuses the email.',
  cannotShow: (why: string) => `This email can’t be shown any more: ${why}.`,
  about: 'Details',
  content: 'Content',
  views: { html: 'Formatted', text: 'Plain text', headers: 'Headers' },
  preview: (subject: string) => `Email “${subject}”`,
  sendAgain: 'Resend',
  sendAgainTo: (address: string) => `Resend to ${address}`,
  againTitle: (kind: string, to: string) => `Resend “${kind}” to ${to}?`,
  againEffect: {
    once: '1 email is sent within a minute.',
    twice: '1 email is sent within a minute. The reader gets it a second time.',
  },
  againDone: (to: string) => `The email to ${to} is sent within a minute.`,
  deadAgain: (value: number) => `Resend ${pluralize(value, 'failed email', 'failed emails')}`,
  deadTitle: (value: number) => `Resend ${pluralize(value, 'failed email', 'failed emails')}?`,
  deadEffect: (value: number) =>
    `${pluralize(value, 'email is', 'emails are')} sent within a few minutes. First fix the cause of the failures.`,
  deadDone: (value: number) => `${pluralize(value, 'email', 'emails')} queued.`,
  emptyTitle: 'No emails yet',
  empty:
    'Readers get an email when they are granted access, pay, or get a refund. Each email is listed here as it was sent.',
} as const
