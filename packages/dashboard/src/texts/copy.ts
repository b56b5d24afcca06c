import { pluralize } from '../format.ts'

const PLACES = { production: 'production', sandbox: 'the sandbox' } as const
type Place = keyof typeof PLACES

/** The part of a sentence before what it is about: `“Winter” → “Winter issue”`. */
const fromTo = (label: string, before: string, after: string) =>
  before === '' ? `${label}: ${after}` : `${label}: ${before} → ${after}`

export const copyTexts = {
  title: (to: Place) => `Copy to ${PLACES[to]}`,
  link: (to: Place) => `Copy to ${PLACES[to]}`,
  lead: (to: Place) =>
    to === 'production'
      ? 'Prepare everything in the sandbox, then bring it to production: resources with prices and files, the brand and the email templates.'
      : 'Bring what production has to the sandbox, to try a change there: resources with prices and files, the brand and the email templates.',
  never:
    'Never copied: readers and their access, payments and subscriptions, private keys, links, and the connections to Stripe and your mail server.',
  archived: 'This application is archived. Nothing can be copied from it or to it.',

  pairTitle: (to: Place) => `Choose the ${to} application`,
  pairLead:
    'Each application has one counterpart in the other environment. Gatehouse remembers it, even if you rename one of them, until you end the pairing.',
  pairWith: 'Application',
  pairNew: (name: string, to: Place) => `Create “${name}” in ${PLACES[to]}`,
  pairNewHint: 'It gets the same name and currency. Its private key is under Developers.',
  pairOption: (name: string, currency: string) => `${name} (${currency})`,
  pair: 'Pair',
  paired: (name: string) => `Paired with ${name}.`,

  pairedWith: (to: Place) => `Counterpart in ${PLACES[to]}`,
  openThere: 'Open it',
  goThere: (from: Place) => `Copy from ${PLACES[from]} instead`,
  unpair: 'End pairing',
  unpairAsk: (name: string) => `End the pairing with ${name}?`,
  unpairEffect: 'Both applications stay as they are. You can pair them again, or with others.',
  unpaired: 'The pairing has ended.',
  gone: 'The paired application no longer exists, for example because a backup of only one environment was restored. End the pairing, then choose another application.',
  goneName: 'An application that no longer exists',
  archivedThere: (name: string, to: Place) =>
    `${name} is archived in ${PLACES[to]}, so nothing can be copied. End the pairing, then choose another application.`,

  previewTitle: 'What will change',
  previewLead: (name: string, to: Place) =>
    `Tick what you want to copy to ${name} in ${PLACES[to]}. Nothing changes until you confirm.`,
  allSame: (to: Place) => `Nothing to copy: ${PLACES[to]} already has everything.`,
  restSame: 'Nothing to copy: everything else is the same.',
  all: 'All',
  chosen: (value: number, total: number) => `${value} of ${total} chosen`,
  choose: (name: string) => `Copy ${name}`,
  statuses: { new: 'New', changed: 'Changes', same: 'The same', blocked: 'Can’t be copied' },
  nameOf: { brand: 'Brand', templates: 'Email templates' },
  same: (value: number) => `${pluralize(value, 'item is', 'items are')} the same`,
  onlyThere: (value: number, to: Place) =>
    value === 1
      ? `1 resource exists only in ${PLACES[to]}. It stays as it is.`
      : `${value} resources exist only in ${PLACES[to]}. They stay as they are.`,
  currencies: (from: string, to: string, where: Place) =>
    `The applications have different currencies: ${from} here, ${to} in ${PLACES[where]}. Prices keep their currency.`,
  obstacles: (from: Place, to: Place) => ({
    archived_in_source: `It is archived in ${PLACES[from]}. Restore it first.`,
    archived_in_target: `It is archived in ${PLACES[to]}. Restore it there first.`,
    too_many_files: `It would have more than 100 files in ${PLACES[to]}. Remove some there first.`,
  }),

  fields: {
    name: 'Title',
    url: 'Address',
    description: 'Description',
    image: 'Linked image',
    accent: 'Accent color',
    support_email: 'Support address',
    time_zone: 'Time zone',
    legal_terms: 'Terms',
    legal_privacy: 'Privacy policy',
    legal_imprint: 'Imprint',
    legal_refunds: 'Refund policy',
  },
  fieldChange: (field: string, before: string, after: string) =>
    after === '' ? `${field}: removed` : fromTo(field, before, after),
  textChange: (field: string, isRemoved: boolean) =>
    isRemoved ? `${field}: removed` : `${field}: new text`,
  image: { added: 'New image', replaced: 'Another image', removed: 'Image removed' },
  logo: { added: 'New logo', replaced: 'Another logo', removed: 'Logo removed' },
  priceChange: (before: string, after: string) => `Price: ${before} → ${after}`,
  priceNew: (terms: string) => `New price: ${terms}`,
  priceEnd: (terms: string) =>
    `Price archived: ${terms}. Existing subscriptions continue at their price.`,
  file: {
    added: (name: string, size: string) => `New file: ${name} (${size})`,
    replaced: (name: string, size: string) => `New content of the file ${name} (${size})`,
    described: (name: string) => `Title, description or image of the file ${name}`,
    published: (name: string) => `File published: ${name}`,
    withdrawn: (name: string) => `File withdrawn: ${name}. Readers no longer get it.`,
  },
  opens: (added: number, removed: number, all: boolean) =>
    all ? 'Opens everything' : `What it opens: ${added} added, ${removed} removed`,
  grantMail: 'Access granted',
  fileOrder: 'Order of the files',
  template: {
    added: (name: string) => `${name}: your own text`,
    replaced: (name: string) => `${name}: another text`,
    removed: (name: string) => `${name}: back to the built-in text`,
  },

  go: (value: number, to: Place) => `Copy ${pluralize(value, 'item', 'items')} to ${PLACES[to]}`,
  ask: (value: number, to: Place) => `Copy ${pluralize(value, 'item', 'items')} to ${PLACES[to]}?`,
  effect: (created: number, changed: number) =>
    [
      ...(created > 0 ? [`${pluralize(created, 'resource is', 'resources are')} created.`] : []),
      ...(changed > 0 ? [`${pluralize(changed, 'item is', 'items are')} changed.`] : []),
    ].join(' '),
  effectReaders: {
    production: 'Readers see the changes immediately. No email is sent.',
    sandbox: 'Only the sandbox changes.',
  },
  confirm: 'Copy',
  changedMeanwhile:
    'Somebody changed something since you opened this preview, so nothing was copied. This is the new preview: check it and copy again.',

  copying: 'Copying…',
  progress: (done: number, total: number) => `${done} of ${total}`,
  keepOpen: 'Keep this page open. If it is closed, what is left can be copied later.',
  stop: 'Stop',
  done: 'Copied',
  doneWithProblems: 'Partly copied',
  doneLead: (value: number, to: Place) =>
    value === 0
      ? 'Nothing was copied.'
      : `${pluralize(value, 'item was', 'items were')} copied to ${PLACES[to]}.`,
  stopped: (done: number, total: number) =>
    `Stopped after ${done} of ${total}. What was copied is complete; copy again to do the rest.`,
  failed: (value: number) => `${pluralize(value, 'item was', 'items were')} not copied:`,
  problems: {
    changed: 'Somebody changed it in the meantime. Check the preview again.',
    file_missing: 'One of its files is damaged or missing. Upload it again, then copy.',
    storage_unavailable: 'The file storage can’t be reached. Try again in a few minutes.',
    storage_full: 'The disk is full. Tell the person who runs this server.',
  },
  openResources: (to: Place) => `Open the resources in ${PLACES[to]}`,
  again: 'Back to the preview',

  setUp: 'Already prepared in the sandbox?',
  setUpLink: 'Copy it here',
} as const
