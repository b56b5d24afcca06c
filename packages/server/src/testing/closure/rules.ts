import type { Operation } from './operations.ts'

/** Operations that are not called, and why. */
export const EXCLUDED: Readonly<Record<string, string>> = {
  listRefusedCalls: 'takes no name, and is for developers',
  updateSettings: 'takes no name, and is for developers',
  removeLogo: 'takes no name, and is for developers',
  resendFailedEmails: 'takes no name',
  advanceClock: 'takes no name, and would end what the other calls ask about',
  replayEvents: 'takes an endpoint, which no answer of the two APIs shows',
  eraseUser: 'ends the names of a person, as it should',
  mergeUser: 'gives the names of one person to another; tested with merges',
  uploadDownload: 'takes a file; tested with all odd rids in management/rids.test.ts',
  replaceDownload: 'takes a file',
  setDownloadImage: 'takes a file',
  setResourceImage: 'takes a file; the rid is read like that of removeResourceImage',
  setLogo: 'takes a file, and no name',
  exportPayments: 'reads its filters like listPayments',
  exportSubscriptions: 'reads its filters like listSubscriptions',
  removeDownload: 'removes what the other calls ask about',
  orderDownloads: 'takes all ids at once; tested in dashboard/downloads',
}

/** Parameters that don't name anything. Every other one needs a value from an answer. */
export const NAMELESS = new Set([
  ...['page', 'pagesize', 'sort', 'q', 'from', 'to', 'first', 'last', 'range', 'limit', 'ts'],
  ...['show_expired', 'state', 'status', 'flag', 'money', 'moved', 'form', 'delimiter', 'archived'],
  ...['published', 'currency', 'types', 'if', 'idempotency_key', 'environment', 'aid'],
  ...['lifetime', 'expiration', 'expires', 'filename', 'message', 'suppress_email', 'reference'],
  ...['first_name', 'last_name', 'amount', 'refund', 'name'],
])

/** Values for required parameters and bodies that don't name anything. */
export const SAMPLES: Readonly<Record<string, unknown>> = {
  ...{ amount: 1, name: 'A name', text: 'A note.', expires: null, refund: false },
  ...{ all: false, lifetime: 60, q: 'n' },
}

/** Refusals that say that the name was understood, and that there is nothing to do. */
export const UNDERSTOOD = new Set([
  ...['refund_too_large', 'mail_not_set_up'],
  ...['access_not_found', 'download_not_found', 'subscription_not_found'],
  ...['resource_exists', 'price_exists'],
])

const COLLECTION = /\/(\w+)\/\{id\}/
const idName = ({ path }: Operation) => `id of ${COLLECTION.exec(path)?.[1] ?? ''}`

/** The names under which answers show what a parameter takes. */
export function sourcesOf(operation: Operation, parameter: string): string[] {
  if (parameter === 'id') return [idName(operation)]
  if (parameter === 'rids') return ['rid']
  if (parameter === 'ref') return ['user_ref']
  if (parameter === 'payment') return ['id of payments']
  // The filter of payments is an amount and a currency.
  if (parameter === 'price') return operation.method === 'GET' ? [] : ['id of prices']
  if (parameter === 'download') return ['id of downloads']
  if (parameter === 'after') return ['cursor']
  return [parameter]
}
