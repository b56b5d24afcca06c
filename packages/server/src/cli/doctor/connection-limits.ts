import type { Context } from '../../context.ts'
import { type ConnectionLimits, readConnectionLimits } from '../../db/postgres/limits.ts'
import { type Finding, ok, warning } from './checks.ts'

const CHECK = 'database connections'
const SCHEMAS = 3

/** Compares the connections that this machine's processes and one command may open with what PostgreSQL allows. */
export async function checkConnectionLimits({ control, config }: Context): Promise<Finding[]> {
  if (control.engine !== 'postgres') return []
  const { workers, databaseConnections: each } = config
  const needed = SCHEMAS * each * workers + SCHEMAS
  const [name, least] = smallestOf(await readConnectionLimits(control.read))
  const need = `up to ${needed} connections are needed (${workers} x ${SCHEMAS} x ${each}, and ${SCHEMAS} for a command)`
  if (needed <= least) return [ok(CHECK, `${need}; ${name} allows ${least}`)]
  return [
    warning(
      CHECK,
      `${need}, but ${name} allows ${least}`,
      'raise that limit, or lower GATEHOUSE_DATABASE_CONNECTIONS; see docs/run/several-machines.md',
    ),
  ]
}

function smallestOf({ server, database, user, isExempt }: ConnectionLimits): [string, number] {
  const all: [string, number][] = [['the server', server]]
  if (!isExempt) all.push(['the database', database], ['the user', user])
  return all
    .filter(([, limit]) => limit >= 0)
    .reduce((least, one) => (one[1] < least[1] ? one : least))
}
