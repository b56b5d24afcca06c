import { count } from '../format.ts'

export const overviewTexts = {
  range: 'How far back',
  days: (value: number) => count(value, 'day', 'days'),
  utc: 'Days begin at midnight UTC.',
  live: 'Live access',
  liveHint: 'open to its reader right now',
  ending: 'Ending within 7 days',
  endingHint: 'live now, and over in a week',
  failedMails: 'Mails given up',
  failedMailsHint: 'nobody got them: look why',
  noFailedMailsHint: 'none had to be given up',
  keptMailsHint: 'no mail server is set up: none is sent',
  grants: 'Access granted',
  revokes: 'Access revoked',
  revenue: 'Revenue',
  refunds: 'Refunds',
  money: (name: string, currency: string) => `${name}, ${currency}`,
  openList: (title: string, total: string) => `${title}: ${total}. Open the list`,
  stepsTitle: 'Three steps to your first reader',
  steps: {
    resource: {
      title: 'Create a resource',
      text: 'What people get access to: an article, an issue, a course, a file.',
      action: 'Create a resource',
    },
    grant: {
      title: 'Grant access to it',
      text: 'To yourself first: then look at the mail that readers get, under Mail.',
      action: 'Grant access',
    },
    protect: {
      title: 'Let your site ask',
      text: 'The page of each resource has the lines to paste, in five languages.',
      action: 'Open resources',
    },
  },
  done: 'done',
} as const
