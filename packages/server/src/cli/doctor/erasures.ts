import type { Environment } from '../../context.ts'
import { countUnfinishedErasures } from '../../domain/people/erasures.ts'
import { type Finding, warning } from './checks.ts'

const LONG_WAIT_MS = 3_600_000

/** An erasure has to wait for the payment provider, and for readers of an older snapshot of the database. */
export async function checkErasures({ name, database, realTime }: Environment): Promise<Finding[]> {
  const count = await countUnfinishedErasures(database.read, realTime() - LONG_WAIT_MS)
  if (count === 0) return []
  const message = `${count} erasures were not finished within an hour`
  const todo =
    'make sure that the service runs (gatehouse serve), that it can reach the payment provider, ' +
    'and that no backup or export is stuck'
  return [warning(`erasures ${name}`, message, todo)]
}
