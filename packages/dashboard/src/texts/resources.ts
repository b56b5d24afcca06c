import { formatNumber, pluralize } from '../format.ts'

export const resourcesTexts = {
  searchFor: 'Name or ID',
  name: { label: 'Name', hint: 'Shown to readers in emails and at the checkout.' },
  rid: {
    label: 'Resource ID',
    hint: 'Your site uses this ID to check access. It can’t be changed later.',
  },
  paymentsAt: 'Payments',
  details: 'Details',
  liveColumn: 'Live access',
  pricesColumn: 'Prices',
  createdColumn: 'Created',
  noPrice: 'not for sale',
  noFile: 'no file',
  moreValues: (value: number) => `and ${formatNumber(value)} more`,
  stateFilter: 'State',
  archivedOnly: 'Archived',
  archivedState: 'Archived',
  unpublished: 'not published',
  create: 'New resource',
  emptyTitle: 'No resources yet',
  empty:
    'A resource is what readers get access to: an article, an issue, a course, a file. Create one, then grant access to it or give it a price.',
  emptyReader:
    'A resource is what readers get access to. Your role can’t create resources; ask an owner, a developer or support.',

  createTitle: 'New resource',
  createLead: 'You can change everything later except the ID.',
  editTitle: (name: string) => `Edit ${name}`,
  ridSpace: 'The ID can’t contain spaces.',
  ridTaken: 'Another resource already has this ID.',
  url: { label: 'Web address', hint: 'The page on your site. Emails link to it.' },
  notAnAddress: 'Enter a URL like https://example.com/page.',
  image: {
    label: 'Image URL',
    hint: 'An image on another site. If you upload an image, it is shown instead.',
  },
  uploadHint: 'The cover that readers see: PNG, JPEG, WebP, AVIF, GIF or SVG, up to 10 MB.',
  description: {
    label: 'Description',
    hint: 'Shown to readers at the checkout. You can use **bold**, *italics*, lists and [links](https://example.com).',
  },
  go: 'Create',
  created: (name: string) => `${name} is created.`,

  edit: 'Edit',
  archive: 'Archive',
  restore: 'Restore',
  archivedNow: (name: string, live: number) =>
    live === 0
      ? `${name} is archived. It can’t be sold or granted.`
      : `${name} is archived. It can’t be sold or granted. ${pluralize(live, 'reader keeps', 'readers keep')} access.`,
  restoredNow: (name: string) => `${name} can be sold and granted again.`,
  archivedNotice: (live: number) =>
    `This resource is archived: it can’t be sold or granted. ${
      live === 0
        ? 'Nobody has access to it.'
        : `${pluralize(live, 'reader still has', 'readers still have')} access, and subscriptions keep renewing.`
    }`,

  aboutTitle: 'About',
  noDescription: 'No description.',
  factsLive: 'Live access',
  factsCreated: 'Created',
  factsAddress: 'Web address',

  pricesTitle: 'Prices',
  pricesEmpty: 'This resource is not for sale. Add a price to get a checkout page for it.',
  addPrice: 'Add price',
  addPriceTitle: (name: string) => `Add a price for ${name}`,
  checkout: 'Checkout page',
  checkoutWhat: 'the checkout URL',
  checkoutOpen: 'Open the checkout page',
  amount: 'Amount',
  amountProblem: (currency: string) =>
    `Enter an amount like ${currency === 'JPY' ? '500' : '4.99'}.`,
  amountTooLarge: 'This amount is too large to charge.',
  currency: 'Currency',
  currencyProblem: 'Enter a currency code, such as EUR.',
  kind: 'Type',
  kinds: {
    recurring: 'Subscription',
    limited: 'One payment, access for a limited time',
    once: 'One payment, lifetime access',
  },
  every: 'Every',
  lasts: 'Access lasts',
  unit: 'Unit',
  units: { day: 'days', week: 'weeks', month: 'months', year: 'years' },
  countProblem: (most: number) => `Enter a whole number from 1 to ${formatNumber(most)}.`,
  trial: { label: 'Free trial in days', hint: 'The first payment is charged after the trial.' },
  trialProblem: 'Enter a whole number from 0 to 365.',
  terms: {
    once: (amount: string) => `Readers pay ${amount} once and get lifetime access.`,
    limited: (amount: string, period: string) =>
      `Readers pay ${amount} once. Access ends after ${period}.`,
    recurring: (amount: string, period: string) =>
      `Readers pay ${amount} every ${period} until they cancel.`,
    trial: (days: number) => `The first ${pluralize(days, 'day is', 'days are')} free.`,
  },
  period: (value: number, unit: 'day' | 'week' | 'month' | 'year') =>
    pluralize(value, unit, `${unit}s`),
  priceAdded: (terms: string) => `Readers can now buy it for ${terms}.`,
  priceAddedUnsold: (terms: string) =>
    `${terms} is saved. Readers can buy it once payments are connected.`,
  priceAddedSandbox: (terms: string) =>
    `It can now be bought for ${terms}, with test cards and no real money.`,
  notSold: 'Readers can buy it once payments are connected.',
  connectPayments: 'Connect payments',
  priceActions: (terms: string) => `Actions for ${terms}`,
  archivePrice: 'Archive price',
  archivePriceTitle: (terms: string) => `Archive ${terms}?`,
  archivePriceEffect: (left: number) =>
    left === 0
      ? 'This is the only price. Nobody can buy this resource until you add another price.'
      : `Nobody can buy at this price any more. ${pluralize(left, 'other price stays', 'other prices stay')} available.`,
  archivePriceStays: 'Existing subscriptions keep this price. You can restore it later.',
  archivedPrice: (terms: string) => `${terms} is archived.`,
  restorePrice: 'Restore price',
  restoredPrice: (terms: string) => `${terms} is restored.`,
  archivedPrices: (value: number) => `Archived prices (${formatNumber(value)})`,
  since: 'archived',

  filesTitle: 'Files',
  filesLead:
    'Readers with access can download the published files, in this order. The links they get expire.',
  fileEmpty: 'Files that readers with access can download: a PDF, a book, a film.',
  fileNone: 'This resource has no files.',
  fileHint: 'One file or several, of any type and size.',
  filesHint: 'More files are added below the others.',
  moveUp: (title: string) => `Move ${title} up`,
  moveDown: (title: string) => `Move ${title} down`,
  placeOf: (place: number, count: number) => `${place} of ${count}`,
  fileSent: (name: string) => `${name} is uploaded. Readers with access can download it.`,
  published: 'Published',
  notPublished: 'Not published',
  fileActions: (name: string) => `Actions for the file ${name}`,
  replace: 'Replace',
  replaceLead:
    'Readers get the old file until the upload is complete. Then existing links deliver the new file.',
  replacedNow: (title: string, name: string) => `The file of ${title} is now ${name}.`,
  rename: 'Change title',
  fileTitle: { label: 'Title', hint: 'Shown to readers with the download.' },
  publish: 'Publish',
  withdraw: 'Unpublish',
  publishedNow: (name: string) => `${name} can be downloaded.`,
  withdrawnNow: (name: string) =>
    `${name} can’t be downloaded now, not even through existing links.`,
  removeFile: 'Remove file',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeEffect: (live: number, isLast: boolean) => {
    if (live === 0)
      return 'Nobody has access right now. Existing links to the file stop working immediately.'
    return isLast
      ? `${pluralize(live, 'reader with access has', 'readers with access have')} nothing to download any more. Existing links stop working immediately.`
      : `${pluralize(live, 'reader with access loses', 'readers with access lose')} this file and ${live === 1 ? 'keeps' : 'keep'} the others. Existing links to it stop working immediately.`
  },
  removeFinal: 'The file itself is deleted a day later.',
  removedNow: (name: string) => `${name} is removed.`,

  protectTitle: 'Code for your site',
  protectLead:
    'For your developers: the server of your site asks Gatehouse before it shows the page. If the reader has no access, it shows your paywall instead.',
  protectKey:
    'Replace PRIVATE_KEY with a private key of this application. Keep it on your server, never in a web page or an app.',
  protectWhere: 'Find the key under Developers.',
  protectTabs: 'Programming language',
  missingTitle: 'Resource not found',
  missing: 'It may exist in the other environment, or the address is mistyped.',
  all: 'All resources',
} as const
