import { pluralize } from '../format.ts'

export const settingsTexts = {
  lead: 'What readers see of this application, and how it treats them. Production and sandbox have settings of their own.',
  readOnly: 'Owners and developers can change these settings.',
  archivedBadge: 'Archived',
  archivedNotice:
    'This application is archived. Its records can be looked at; nothing can be changed.',

  generalTitle: 'General',
  name: 'Name',
  nameHint: 'Readers see it on receipts, in mails and where they pay.',
  currency: 'Currency',
  currencyHint:
    'Three letters, such as EUR. Of free access and of new prices; prices that are there keep theirs.',
  currencyWrong: 'This is not the code of a currency.',
  tooLong: (most: number) => `At most ${pluralize(most, 'character', 'characters')}.`,

  sellingTitle: 'Selling',
  sellingLead: 'Stands on receipts and where readers pay.',
  sellerName: 'Seller’s name',
  sellerNameHint: 'As it must be on a receipt. Without one it is the name of the application.',
  sellerAddress: 'Seller’s address',
  sellerAddressHint: 'As on an envelope, at most 10 lines.',
  tooManyLines: 'At most 10 lines.',
  taxLine: 'Tax line',
  taxLineHint: 'Such as “VAT ID DE123456789”.',
  grace: 'Days of grace',
  graceHint: 'How long access stays open while a renewal is unpaid: 0 to 60 days.',
  graceWrong: 'A whole number from 0 to 60.',
  receipt: 'On receipts',

  returnTitle: 'Return addresses',
  returnLead:
    'Where buyers may be sent back to after they have paid: your site, or a folder of it, and all below.',
  returnUrls: 'Allowed addresses',
  returnHint: 'One on each line, such as https://example.com or https://example.com/shop.',
  returnNone: 'None yet: purchase links of your site that name a way back are refused.',
  returnWrong: (line: number) =>
    `Line ${line} must be an address like https://example.com or https://example.com/shop. http is for localhost alone.`,
  returnNoQuery: (line: number) => `Line ${line} must have no ? and no #.`,

  mailTitle: 'Mail',
  mailLead:
    'The sender of all mails, and the words of the one that a grant sends. Mails about money have fixed words.',
  kept: 'No mail server is set up for this environment: mails are kept to be read under Mail, and none is sent.',
  sender: 'Sender',
  senderHint: 'Such as Example Magazine <access@example.com>.',
  senderDefault: (sender: string) => `Without one it is ${sender}.`,
  template: 'Template of the mail for a grant',
  templateHint:
    'A line “Subject: …”, a blank line, then paragraphs with blank lines between them. A paragraph that names an empty value is left out; {{link}} on its own becomes a button.',
  insert: 'Put in at the cursor',
  insertThis: (name: string, meaning: string) => `Put in {{${name}}}: ${meaning}`,
  placeholders: {
    application: 'name of the application',
    resource: 'name of the resource',
    first_name: 'first name of the reader',
    message: 'the message of the grant',
    link: 'address of the resource',
    ends: 'the day on which the access ends',
    ended: 'the same when it has ended already',
  },
  builtIn: 'Back to the built-in words',
  problem: (line: number, problem: string) => `Line ${line}: ${problem}.`,
  furtherProblems: (value: number) => `And ${pluralize(value, 'problem', 'problems')} more.`,
  preview: 'Preview',
  previewHint: 'With made-up data: Ann is given access to Issue 7 for 30 days.',
  previewHtml: 'As a page',
  previewText: 'As text',
  previewTitle: 'The mail as its reader sees it',
  previewNone: 'Fix the template to see the mail.',
  subject: 'Subject',
  from: 'From',

  moreTitle: 'People and traces',
  moreLead: 'Who works here, and what was done.',
  team: 'Team',
  audit: 'Audit log of this application',

  archiveTitle: 'Archive this application',
  archiveLead:
    'For when a publication ends. Its records stay and can be looked at. It can’t be taken back.',
  archive: 'Archive',
  archiveAsk: (name: string) => `Archive ${name}?`,
  counting: 'Counting what it would end …',
  archiveAccess: (value: number) =>
    value === 0
      ? 'Nobody has live access.'
      : `${pluralize(value, 'live access is', 'live accesses are')} not confirmed any more: its API answers no request.`,
  archiveSubscriptions: (value: number) =>
    value === 0
      ? 'No subscription is running.'
      : `${pluralize(value, 'subscription', 'subscriptions')} will not be renewed again.`,
  archiveLinks: 'Purchase links and links to files lead nowhere. Mails that wait are not sent.',
  archived: (name: string) => `${name} is archived.`,
} as const
