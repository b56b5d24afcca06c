import { pluralize } from '../format.ts'

const CURRENCY_PROBLEM = 'Enter a currency code, such as EUR.'

export const newApplicationTexts = {
  title: 'Create your first application',
  lead: 'An application is one publication or site, with its own resources, readers and keys. Applications share nothing.',
  other: 'New application',
  name: { label: 'Name', hint: 'Shown to readers on receipts and in emails.' },
  currency: { label: 'Currency', hint: 'Three letters, such as EUR. New prices use it.' },
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
  name: { label: 'Name', hint: 'Shown to readers on receipts, in emails and at the checkout.' },
  currency: {
    label: 'Currency',
    hint: 'Three letters, such as EUR. Used for free access and new prices; existing prices keep theirs.',
  },
  currencyWrong: CURRENCY_PROBLEM,
  tooLong: (most: number) => `At most ${pluralize(most, 'character', 'characters')}.`,

  sellingTitle: 'Selling',
  sellingLead: 'Shown on receipts and at the checkout.',
  sellerName: {
    label: 'Seller name',
    hint: 'The legal name for receipts. If empty, the name of the application is used.',
  },
  sellerAddress: {
    label: 'Seller address',
    hint: 'The postal address for receipts, at most 10 lines.',
  },
  tooManyLines: 'At most 10 lines.',
  taxLine: { label: 'Tax line', hint: 'For example “VAT ID DE123456789”.' },
  grace: {
    label: 'Grace period in days',
    hint: 'How long readers keep access while a renewal is unpaid, from 0 to 60 days.',
  },
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

  replayTitle: 'Replay protection',
  replayLead: 'Protects your API against requests that somebody recorded and sends again.',
  requireTs: {
    label: 'Require a timestamp in every API request that changes something',
    hint: 'Requests without a current timestamp are refused, and each is carried out once. First check that all your API clients send the ts parameter; the Gatehouse SDK does.',
  },

  mailTitle: 'Sender and grants',
  mailLead: 'The sender of all emails, and the text of the email that a grant sends.',
  kept: 'No mail server is connected in this environment, so emails are not sent. You can read them under Emails. Owners connect one under Settings, Mail.',
  sender: 'Sender',
  senderHint: 'For example Example Magazine <access@example.com>.',
  senderDefault: (sender: string) => `If empty: ${sender}.`,
  template: 'Template of the email for a grant',
  templateHint:
    'A line “Subject: …”, a blank line, then paragraphs separated by blank lines. A paragraph with an empty placeholder is left out. “# ” begins a heading. {{link}} on its own line becomes a button.',
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
    amount: 'amount of the payment',
    date: 'when it happened',
    facts: 'table with everything the reader has to know',
    files: 'files of the resource, with links to download them',
    manage: 'page where the reader manages the subscription',
    price: 'price after the trial, and how often',
    next_payment: 'amount and day of the next payment',
    end_day: 'day on which the trial ends',
    reason: 'reason in plain words',
    advice: 'what the reader can do about it',
    retry: 'when the card is tried again',
    last_chance: 'end of the access, after the last attempt',
    removed_address: 'the old address, in the email to it',
    added_address: 'the new address, in the email to it',
    other_address: 'the other address, abbreviated',
    contact: 'your support address, or the name of the application',
  },
  templatesTitle: 'Emails about payments and accounts',
  templatesLead:
    'You can reword each. Amount, dates, seller and the link to the subscription are always part of it: if you leave them out, they are added at the end.',
  mailKind: 'Email',
  mailKinds: {
    receipt: 'Receipt',
    trial_started: 'Free trial started',
    trial_ends: 'Free trial ends soon',
    payment_failed: 'Payment failed',
    subscription_ended: 'Subscription ended unpaid',
    canceled: 'Subscription canceled',
    refunded: 'Refund',
    address_changed: 'Email address changed',
  },
  templateOf: 'Template',
  builtIn: 'Restore the default text',
  problem: (line: number, problem: string) => `Line ${line}: ${problem}.`,
  furtherProblems: (value: number) => `And ${pluralize(value, 'more problem', 'more problems')}.`,
  preview: 'Preview',
  previewOf: (name: string) => `Preview: ${name}`,
  grantMail: 'email for a grant',
  previewHint: 'With sample data: Ann reads Issue 7.',
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

export const brandTexts = {
  lead: 'How your checkout, your readers’ pages and your emails look.',
  logoTitle: 'Logo',
  logoLead: 'Shown at the top of pages and emails in place of the name, at most 48 pixels high.',
  logoHint: 'PNG, JPEG, WebP, AVIF or GIF. A wide logo on a transparent background looks best.',
  title: 'Brand',
  accent: 'Accent color',
  accentHint: 'For buttons and links, such as #1f5f4a. If empty, the built-in green is used.',
  accentPick: 'Pick the accent color',
  accentWrong: 'Enter a color like #1f5f4a.',
  accentAdjusted: 'Links use a darker or lighter shade, so that everybody can read them.',
  support: {
    label: 'Support address',
    hint: 'Where readers get help. Shown on every page and email.',
  },
  timeZone: { label: 'Time zone', hint: 'For the dates that readers see, such as Europe/Berlin.' },
  legalTitle: 'Legal pages',
  legal: {
    terms: 'Terms',
    privacy: 'Privacy policy',
    imprint: 'Imprint',
    refunds: 'Refund policy',
  },
  previewTitle: 'Preview',
  previewLead: 'With sample data. Unsaved changes of the color are shown.',
  scheme: 'Color scheme',
  light: 'Light',
  dark: 'Dark',
  checkout: 'Checkout',
  account: 'Account page',
  mail: 'Email',
  pageTitles: {
    checkout: 'The checkout as the reader sees it',
    account: 'The account page as the reader sees it',
  },
  mailTitle: 'The receipt as the reader sees it',
} as const
