import { pluralize } from '../format.ts'

export const mailsTexts = {
  to: 'To',
  kind: 'What',
  when: 'When',
  problem: 'Problem',
  erased: 'An erased person',
  searchFor: 'E-mail or id',
  states: { waiting: 'Waiting', sent: 'Sent', kept: 'Kept', dead: 'Given up' },
  kinds: {
    grant: 'Access granted',
    receipt: 'Receipt',
    payment_failed: 'Payment failed',
    trial_ends: 'Trial ends soon',
    canceled: 'Subscription canceled',
    refunded: 'Refund',
  },
  keptLead:
    'No mail server is set up here: mails are kept to be read, and are never sent. Whoever runs the server sets GATEHOUSE_SMTP_URL.',
  created: 'Written',
  sent: 'Sent',
  tries: 'Tries',
  nextTry: 'Next try',
  lastError: (error: string) => `The last try failed: ${error}`,
  dead: 'It was given up after too many tries. The address may be wrong, or the mail server refused it.',
  cannotShow: (why: string) => `It can’t be shown any more: ${why}.`,
  about: 'About this mail',
  content: 'The mail',
  views: { html: 'As it looks', text: 'As text', headers: 'Headers' },
  preview: (subject: string) => `The mail “${subject}”`,
  sendAgain: 'Send again',
  againTitle: (kind: string, to: string) => `Send “${kind}” to ${to} again?`,
  againEffect: {
    once: '1 mail goes out in the next minute.',
    twice: '1 mail goes out in the next minute. The reader gets it a second time.',
  },
  againDone: (to: string) => `It goes to ${to} in the next minute.`,
  deadAgain: (value: number) => `Send ${pluralize(value, 'given-up mail', 'given-up mails')} again`,
  deadTitle: (value: number) =>
    `Send ${pluralize(value, 'given-up mail', 'given-up mails')} again?`,
  deadEffect: (value: number) =>
    `${pluralize(value, 'reader gets a mail', 'mails go out')} in the next minutes, each with all its tries. First fix what made them fail.`,
  deadDone: (value: number) => `${pluralize(value, 'mail waits', 'mails wait')} to go out.`,
  emptyTitle: 'No mails yet',
  empty:
    'Readers get a mail when they are granted access, pay, or are refunded. Each one is listed here, as it was sent.',
} as const
