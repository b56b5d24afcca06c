// How much is measured: everything, or just enough to show within a minute that the benchmark itself works.
import { parseArgs } from 'node:util'

export const PARTS = [
  'check',
  'passes',
  'grant',
  'mixed',
  'search',
  'scaling',
  'nodes',
  'mail',
  'bulk',
  'webhooks',
]
export const ENGINES = ['sqlite', 'postgres']

const FULL = {
  rounds: 3,
  seconds: 4,
  warmUp: 3,
  requests: 20,
  lastPage: 5_000,
  /** V8 tidies up for about a minute after a start. */
  settleSeconds: 60,
  idleSeconds: 60,
  checked: 1_000_000,
  sizes: [10_000, 1_000_000, 10_000_000],
  /** The records of the installation for bulk work, and the rows that are imported into it. */
  bulk: 1_000_000,
  imported: 100_000,
  /** The readers whose events are sent to a webhook. */
  hooked: 2_000,
  /** Seconds for one part on one database. */
  limits: {
    data: 900,
    check: 330,
    passes: 180,
    grant: 150,
    mixed: 150,
    search: 270,
    scaling: 330,
    nodes: 180,
    mail: 240,
    bulk: 1_200,
    webhooks: 240,
  },
}

const QUICK = {
  ...FULL,
  rounds: 1,
  seconds: 1,
  warmUp: 0,
  requests: 3,
  lastPage: 50,
  settleSeconds: 1,
  idleSeconds: 1,
  checked: 10_000,
  sizes: [10_000, 20_000],
  bulk: 10_000,
  imported: 1_000,
  hooked: 100,
}

/** The sizes up to the largest one requested. */
const sizesUpTo = (sizes, records) => [...sizes.filter((size) => size < records), records]

function listOf(text, known, option) {
  const names = text.split(',')
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Error(`${option}: ${unknown.join(', ')} is none of ${known.join(', ')}`)
  return names
}

function wholeNumber(text, least, step, option) {
  const number = Number(text)
  if (Number.isInteger(number) && number >= least && number % step === 0) return number
  throw new Error(
    `${option}: a whole number from ${least} on${step > 1 ? `, in steps of ${step}` : ''}`,
  )
}

export function readSettings(args) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: PARTS.join() },
      engines: { type: 'string', default: ENGINES.join() },
      records: { type: 'string' },
      rounds: { type: 'string' },
      keep: { type: 'boolean', default: false },
      clean: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
    },
  })
  const base = values.quick ? QUICK : FULL
  const records = wholeNumber(
    values.records ?? String(base.sizes.at(-1)),
    10_000,
    1_000,
    '--records',
  )
  if (records > 10_000_000) throw new Error('--records: 10,000,000 at most')
  return {
    ...base,
    isQuick: values.quick,
    parts: listOf(values.only, PARTS, '--only'),
    engines: listOf(values.engines, ENGINES, '--engines'),
    rounds: wholeNumber(values.rounds ?? String(base.rounds), 1, 1, '--rounds'),
    checked: Math.min(base.checked, records),
    bulk: Math.min(base.bulk, records),
    sizes: sizesUpTo(base.sizes, records),
    keep: values.keep,
    clean: values.clean,
    isFresh: values.fresh,
  }
}
