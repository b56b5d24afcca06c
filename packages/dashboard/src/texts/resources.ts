import { formatNumber, pluralize } from '../format.ts'

export const resourcesTexts = {
  searchFor: 'Name or rid',
  name: 'Name',
  rid: 'Resource id (rid)',
  liveColumn: 'Live access',
  pricesColumn: 'Prices',
  fileColumn: 'File',
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
    'A resource is what people get access to: an article, an issue, a course, a file. Create one, give it a price or a file if it has any, and grant access to it.',
  emptyReader:
    'A resource is what people get access to. Somebody with another role creates the first one.',

  createTitle: 'New resource',
  createLead: 'You can change everything later but its id.',
  editTitle: (name: string) => `Edit ${name}`,
  nameHint: 'Readers see it in mails and when they buy.',
  ridHint: 'Your site asks for it by this name, so it never changes.',
  ridSpace: 'No spaces in here.',
  ridTaken: 'There is a resource with this rid already.',
  url: 'Web address',
  urlHint: 'The page where readers find it. Mails link there; without it they have no link.',
  notAnAddress: 'This must be an address like https://example.com/page.',
  image: 'Picture',
  imageHint: 'The address of a picture, beginning with https://. Your team sees it here.',
  imageAlt: (name: string) => `Picture of ${name}`,
  imageHidden: 'The picture is not shown: its address does not begin with https://.',
  imageBroken: 'The picture at this address cannot be shown.',
  description: 'Description',
  descriptionHint: 'Readers see it when they buy.',
  go: 'Create',
  created: (name: string) => `${name} is created.`,

  edit: 'Edit',
  archive: 'Archive',
  restore: 'Restore',
  archivedNow: (name: string, live: number) =>
    live === 0
      ? `${name} is archived: it is not sold or granted any more.`
      : `${name} is archived: it is not sold or granted any more. ${pluralize(live, 'access stays', 'accesses stay')} as before.`,
  restoredNow: (name: string) => `${name} can be sold and granted again.`,
  archivedNotice: (live: number) =>
    `This resource is archived: it is not sold or granted any more. ${
      live === 0
        ? 'Nobody has access to it.'
        : `${pluralize(live, 'access is', 'accesses are')} still live, and subscriptions are renewed.`
    }`,

  aboutTitle: 'About',
  noDescription: 'No description.',
  factsLive: 'Live access',
  factsCreated: 'Created',
  factsAddress: 'Address',

  pricesTitle: 'Prices',
  pricesEmpty: 'Nobody can buy it yet. With a price it gets a page where readers pay.',
  addPrice: 'Add a price',
  addPriceTitle: (name: string) => `A price for ${name}`,
  checkout: 'Readers buy it at',
  checkoutWhat: 'the address of the checkout',
  checkoutOpen: 'Open the checkout',
  amount: 'Amount',
  amountProblem: (currency: string) =>
    `Write an amount like ${currency === 'JPY' ? '500' : '4.99'}.`,
  amountTooLarge: 'That is more than can be charged.',
  currency: 'Currency',
  currencyProblem: 'This is not the code of a currency.',
  kind: 'How it is paid',
  kinds: {
    recurring: 'Again and again, until canceled',
    limited: 'Once, for a while',
    once: 'Once, for good',
  },
  every: 'Every',
  lasts: 'For how long',
  unit: 'Unit',
  units: { day: 'days', week: 'weeks', month: 'months', year: 'years' },
  countProblem: (most: number) => `A whole number from 1 to ${formatNumber(most)}.`,
  trial: 'Free days at the beginning',
  trialHint: 'The first payment comes after them.',
  trialProblem: 'A whole number from 0 to 365.',
  terms: {
    once: (amount: string) => `Readers pay ${amount} once and keep access for good.`,
    limited: (amount: string, period: string) =>
      `Readers pay ${amount} once. Access ends by itself after ${period}.`,
    recurring: (amount: string, period: string) =>
      `Readers pay ${amount} every ${period} until they cancel.`,
    trial: (days: number) => `The first ${pluralize(days, 'day is', 'days are')} free.`,
  },
  period: (value: number, unit: 'day' | 'week' | 'month' | 'year') =>
    pluralize(value, unit, `${unit}s`),
  priceAdded: (terms: string) => `Readers can buy it for ${terms} now.`,
  priceActions: (terms: string) => `Actions for ${terms}`,
  retire: 'Retire',
  retireTitle: (terms: string) => `Retire ${terms}?`,
  retireEffect: (left: number) =>
    left === 0
      ? 'It is the only price: nobody can buy this resource until you add another.'
      : `Nobody can buy at it any more. ${pluralize(left, 'other price stays', 'other prices stay')}.`,
  retireStays:
    'Subscriptions that were begun at it go on at their price. A retired price does not come back.',
  retiredNow: (terms: string) => `${terms} is retired.`,
  retired: (value: number) => `Retired (${formatNumber(value)})`,
  since: 'since',

  fileTitle: 'File',
  fileLead:
    'Whoever has access gets it by a link for a time: your site asks for one, or you make one on the file’s own page.',
  fileEmpty: 'A file that those with access can download: a PDF, a book, a film.',
  fileNone: 'There is no file to download.',
  fileHint: 'Of any kind and size.',
  fileSent: (name: string) => `${name} is there. Those with access get it by a link.`,
  fileSentHidden: (name: string) =>
    `${name} is there. It is not published: nobody can download it.`,
  published: 'Published',
  notPublished: 'Not published',
  fileActions: (name: string) => `Actions for the file ${name}`,
  replace: 'Replace',
  replaceLead:
    'Readers get the old file until the new one is complete, then the new one: by links that they already have, too.',
  rename: 'Change title',
  titleLabel: 'Title',
  titleHint: 'Readers see it beside the download.',
  publish: 'Publish',
  withdraw: 'Withdraw',
  publishedNow: (name: string) => `${name} can be downloaded.`,
  withdrawnNow: (name: string) =>
    `${name} cannot be downloaded any more, by links that were sent neither.`,
  removeFile: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeEffect: (live: number) =>
    live === 0
      ? 'Nobody has access right now. Links to it that were made stop working at once.'
      : `${pluralize(live, 'live access has', 'live accesses have')} nothing to download any more. Links that were sent stop working at once.`,
  removeFinal: 'The file itself is deleted a day later.',
  removedNow: (name: string) => `${name} is removed.`,

  protectTitle: 'How to protect it',
  protectLead:
    'Your server asks before it shows the page. The answer is the access, or the error access_not_found: then show your paywall.',
  protectKey:
    'PRIVATE_KEY is the private key of this application. It belongs on your server, never in a page or an app.',
  protectWhere: 'Developers has it.',
  protectTabs: 'The same in five languages',
  missingTitle: 'There is no such resource',
  missing: 'It may be in the other environment, or the address is mistyped.',
  all: 'All resources',
} as const
