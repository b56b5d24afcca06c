import { pluralize } from '../format.ts'

const CURRENCY_PROBLEM = 'Enter a currency code, such as EUR.'

export const newApplicationTexts = {
  title: 'Create your first application',
  lead: 'An application is one publication or site, with its own resources, readers and keys. Applications share nothing.',
  other: 'New application',
  name: 'Name',
  nameHint: 'Shown to readers on receipts and in emails.',
  currency: 'Currency',
  currencyHint: 'Three letters, such as EUR. New prices use it.',
  notACurrency: CURRENCY_PROBLEM,
  environment: 'Environment',
  go: 'Create',
  keyTitle: (name: string) => `${name} is ready`,
  keyLead:
    'Your site needs these two values to call Gatehouse. Give them to your developers. Keep the private key secret; you can see it again under Developers.',
  aid: 'Application ID',
  key: 'Private key',
  open: (name: string) => `Open ${name}`,
  nobodyTitle: 'No applications yet',
  nobody: 'Ask an owner or a developer to create the first one.',
} as const

export const settingsTexts = {
  lead: 'How this application appears to readers and how it sells. Production and the sandbox have separate settings.',
  readOnly: 'Only owners and developers can change these settings.',
  archivedBadge: 'Archived',
  archivedNotice: 'This application is archived. You can view its records but not change anything.',

  generalTitle: 'General',
  name: 'Name',
  nameHint: 'Shown to readers on receipts, in emails and at the checkout.',
  currency: 'Currency',
  currencyHint:
    'Three letters, such as EUR. Used for free access and new prices; existing prices keep theirs.',
  currencyWrong: CURRENCY_PROBLEM,
  tooLong: (most: number) => `At most ${pluralize(most, 'character', 'characters')}.`,

  sellingTitle: 'Selling',
  sellingLead: 'Shown on receipts and at the checkout.',
  sellerName: 'Seller name',
  sellerNameHint: 'The legal name for receipts. If empty, the name of the application is used.',
  sellerAddress: 'Seller address',
  sellerAddressHint: 'The postal address for receipts, at most 10 lines.',
  tooManyLines: 'At most 10 lines.',
  taxLine: 'Tax line',
  taxLineHint: 'For example “VAT ID DE123456789”.',
  grace: 'Grace period in days',
  graceHint: 'How long readers keep access while a renewal is unpaid, from 0 to 60 days.',
  graceWrong: 'Enter a whole number from 0 to 60.',
  receipt: 'On receipts',

  returnTitle: 'Return URLs',
  returnLead:
    'Where buyers may return after payment: your site or a folder of it, including everything below.',
  returnUrls: 'Allowed URLs',
  returnHint: 'One per line, such as https://example.com or https://example.com/shop.',
  returnNone: 'None yet. Purchase links that include a return URL are refused.',
  returnWrong: (line: number) =>
    `Line ${line}: enter a URL like https://example.com or https://example.com/shop. http is allowed only for localhost.`,
  returnNoQuery: (line: number) => `Line ${line}: remove everything from the ? or # on.`,

  mailTitle: 'Emails',
  mailLead:
    'The sender of all emails, and the text of the email that a grant sends. The texts of payment emails are fixed.',
  kept: 'No mail server is connected in this environment, so emails are not sent. You can read them under Emails. Owners connect one under Settings, Mail.',
  sender: 'Sender',
  senderHint: 'For example Example Magazine <access@example.com>.',
  senderDefault: (sender: string) => `If empty: ${sender}.`,
  template: 'Template of the email for a grant',
  templateHint:
    'A line “Subject: …”, a blank line, then paragraphs separated by blank lines. A paragraph with an empty placeholder is left out. {{link}} on its own line becomes a button.',
  insert: 'Insert at the cursor',
  insertThis: (name: string, meaning: string) => `Insert {{${name}}}: ${meaning}`,
  placeholders: {
    application: 'name of the application',
    resource: 'name of the resource',
    first_name: 'first name of the reader',
    message: 'message of the grant',
    link: 'web address of the resource',
    ends: 'day on which access ends',
    ended: 'the same, if access has already ended',
  },
  builtIn: 'Restore the default text',
  problem: (line: number, problem: string) => `Line ${line}: ${problem}.`,
  furtherProblems: (value: number) => `And ${pluralize(value, 'problem', 'problems')} more.`,
  preview: 'Preview',
  previewHint: 'With sample data: Ann gets access to Issue 7 for 30 days.',
  previewHtml: 'Formatted',
  previewText: 'Plain text',
  previewTitle: 'The email as the reader sees it',
  previewNone: 'Fix the template to see the preview.',
  subject: 'Subject',
  from: 'From',

  moreTitle: 'Team and audit log',
  moreLead: 'Who can sign in, and what they did.',
  team: 'Team',
  audit: 'Audit log of this application',

  archiveTitle: 'Archive this application',
  archiveLead:
    'Use this when a publication ends. You can still view its records. This can’t be undone.',
  archive: 'Archive',
  archiveAsk: (name: string) => `Archive ${name}?`,
  counting: 'Counting what would end…',
  archiveAccess: (value: number) =>
    value === 0
      ? 'Nobody has live access.'
      : `${pluralize(value, 'reader loses', 'readers lose')} access: the API refuses all requests of this application.`,
  archiveSubscriptions: (value: number) =>
    value === 0
      ? 'There are no active subscriptions.'
      : `${pluralize(value, 'subscription', 'subscriptions')} will not renew.`,
  archiveLinks: 'Purchase links and download links stop working. Queued emails are not sent.',
  archived: (name: string) => `${name} is archived.`,
} as const
