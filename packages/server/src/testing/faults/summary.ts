import { sql } from 'kysely'
import type { World } from '../model/world.ts'

/** The columns that must be the same in every run, by table. Times are compared separately, and ids never. */
const COLUMNS = {
  access: ['rid', 'amount', 'tags'],
  access_tags: ['tag'],
  application_keys: [],
  checkouts: ['purpose', 'rid', 'status', 'refusal'],
  downloads: ['rid', 'file_name'],
  erasures: [],
  former_addresses: ['email_key'],
  history: ['action'],
  notes: ['text'],
  outbox: ['kind', 'status'],
  payments: ['rid', 'amount', 'refunded', 'status', 'flag'],
  refunds: ['amount', 'status', 'reason', 'reference'],
  resources: ['rid'],
  sources: ['kind'],
  subscriptions: ['rid', 'status', 'periods'],
  trials: ['rid', 'kind'],
  user_refs: ['alias'],
  users: ['first_name'],
} as const

const TIMES = {
  access: ['ends', 'revoked'],
  resources: ['archived'],
  sources: ['ends', 'closed'],
  subscriptions: ['current_period_end', 'canceled', 'ended'],
  users: ['erased'],
} as const

const LATEST = 253_402_300_799
/** A worker repeats what failed after a pause, so times may differ a little. */
const HALF_DAY = 43_200

/** Describes everything that a history has led to, in our records and in the provider's, so that two runs of the same
 * history can be compared. */
export async function summarize(world: World, began: number): Promise<string[]> {
  const lines: string[] = []
  for (const { name, aid } of Object.values(world.shops)) {
    for (const [table, columns] of Object.entries(COLUMNS)) {
      const { rows } = await sql<Record<string, unknown>>`
        select * from ${sql.table(table)} where aid = ${aid}`.execute(
        world.system.env.database.read,
      )
      const times = TIMES[table as keyof typeof TIMES] ?? []
      for (const row of rows) {
        // A checkout that nobody has paid means nothing; a repeated request begins another one.
        if (table === 'checkouts' && row.status !== 'paid') continue
        const values = [
          ...columns.map((column) => normalize(row[column])),
          ...times.map((column) => relative(row[column] as number | null, began)),
        ]
        lines.push(`${name} ${table} ${values.join(' ')}`)
      }
    }
    for (const charge of world.system.fake.ledger.charges.values()) {
      if (charge.metadata.gatehouse_aid !== aid) continue
      const { amount, paid, amount_refunded } = charge
      lines.push(`${name} charge ${amount} ${paid} ${amount_refunded}`)
    }
  }
  return lines.sort()
}

/** Commands queue mails, a service without a mail server keeps them: it depends on who is first. */
const normalize = (value: unknown) => (value === 'queued' ? 'kept' : value)

function relative(time: number | null, began: number): string {
  if (time === null) return 'never'
  return time >= LATEST ? 'open' : `${Math.round((time - began) / HALF_DAY)}`
}

/** Lists what only one of two summaries has. */
export function differencesOf(expected: readonly string[], found: readonly string[]): string[] {
  const left = [...found]
  const missing: string[] = []
  for (const line of expected) {
    const at = left.indexOf(line)
    if (at < 0) missing.push(`- ${line}`)
    else left.splice(at, 1)
  }
  return [...missing, ...left.map((line) => `+ ${line}`)]
}
