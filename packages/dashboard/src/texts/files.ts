import { pluralize } from '../format.ts'

export const downloadsTexts = {
  title: 'Title',
  file: 'File',
  changed: 'Changed',
  searchFor: 'Title, file or ID',
  published: 'Published',
  withdrawn: 'Not published',
  publishedFilter: 'Published',
  yes: 'Yes',
  no: 'No',
  deliveries: 'Deliveries',
  withdrawnHint:
    'Nobody can download this file, and its links don’t work, until you publish it again.',
  fileTitle: 'File',
  fileName: 'Name',
  size: 'Size',
  type: 'Type',
  kept: 'Stored',
  stores: { disk: 'On this server', s3: 'In an S3 bucket' },
  filed: 'Uploaded',
  checksum: 'SHA-256',
  replace: 'Replace file',
  replaceHint: 'Existing links deliver the new file as soon as it is uploaded.',
  replaced: (name: string) => `The file is now ${name}.`,
  aboutTitle: 'Shown to readers',
  description: {
    label: 'Description',
    hint: 'You can use **bold**, *italics*, lists and [links](https://example.com).',
  },
  image: {
    label: 'Image URL',
    hint: 'An image on another site. If you upload an image, it is shown instead.',
  },
  uploadHint: 'Shown on the file’s page: PNG, JPEG, WebP, AVIF, GIF or SVG, up to 10 MB.',
  notAnAddress: 'Enter a URL that starts with https://.',
  noDescription: 'No description.',
  publish: 'Publish',
  publishedNow: (title: string) => `${title} is published.`,
  withdraw: 'Unpublish',
  withdrawnNow: (title: string) => `${title} is no longer published. Its links don’t work now.`,
  remove: 'Remove file',
  removeTitle: (title: string) => `Remove ${title}?`,
  removeEffect: (name: string, size: string) =>
    `${name} (${size}) is deleted, and all links to it stop working immediately. This can’t be undone.`,
  removeDelivered: (value: number) =>
    value === 0
      ? 'It was never delivered.'
      : `It was delivered ${pluralize(value, 'time', 'times')}. The list of deliveries is kept.`,
  removeAccess: 'Readers keep their access to the resource.',
  removed: (title: string) => `${title} is removed.`,
  makeLink: 'Create link',
  linkTitle: (title: string) => `Link to ${title}`,
  linkLead: 'Anybody who has the link can download the file until the link expires.',
  lifetime: 'Valid for',
  lifetimes: { hour: '1 hour', day: '1 day', week: '7 days', month: '30 days' },
  forReader: {
    label: 'Only for the reader with this site user ID',
    hint: 'The link works while this reader has access.',
  },
  noAccess: 'No reader with this site user ID has access right now.',
  uses: { label: 'Maximum number of downloads', hint: 'Leave empty for no limit.' },
  notACount: 'Enter a whole number from 1 to 1,000,000.',
  linkMade: 'The link is ready.',
  link: 'the link',
  emptyTitle: 'No files yet',
  empty:
    'Open a resource and drop its file there. Readers with access download it through links that expire.',
} as const

export const deliveriesTexts = {
  title: 'Deliveries',
  lead: 'Who downloaded which file and when, newest first.',
  who: 'Who',
  bytes: 'Sent',
  when: 'When',
  outcome: 'Outcome',
  outcomes: { complete: 'Complete', partial: 'Incomplete', redirected: 'Sent by the bucket' },
  outcomeHint: {
    complete: 'Everything that was requested was sent.',
    partial: 'The reader stopped the download, or it is still running.',
    redirected:
      'The S3 bucket sends the file itself, so Gatehouse doesn’t know whether the download completed.',
  },
  anybody: 'Anybody with the link',
  searchFor: 'Name, email or ID',
  recent: 'Recent deliveries',
  none: 'Nobody has downloaded this file yet.',
  all: 'Show all deliveries',
  emptyTitle: 'No deliveries yet',
  empty: 'Each download of a file is recorded here.',
  toDownloads: 'Go to downloads',
} as const
