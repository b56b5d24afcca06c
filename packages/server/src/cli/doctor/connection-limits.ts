import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { type Finding, ok, warning } from './checks.ts'

const CHECK = 'database connections'
const SCHEMAS = 3

interface Limits {
  server: number
  database: number
  role: number
  superuser: boolean
}

/** What is left for us of the server's connections; -1 of a database or a role means that it has no limit. */
const SELECT_LIMITS = sql<Limits>`
  select current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true), '0')::int as server,
    (select datconnlimit from pg_database where datname = current_database()) as database,
    rolconnlimit as role, rolsuper as superuser
  from pg_roles where rolname = current_user`

/** Compares the connections that this machine's processes and one command may open with what PostgreSQL allows. */
export async function checkConnectionLimits({ control, config }: Context): Promise<Finding[]> {
  if (control.engine !== 'postgres') return []
  const { rows } = await SELECT_LIMITS.execute(control.read)
  const limits = rows[0] as Limits
  const { workers, databaseConnections: each } = config
  const needed = SCHEMAS * each * workers + SCHEMAS
  const [name, least] = smallestOf(limits)
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

/** Superusers are exempt from the limits of databases and roles. */
function smallestOf({ server, database, role, superuser }: Limits): [string, number] {
  const all: [string, number][] = [['the server', server]]
  if (!superuser) all.push(['the database', database], ['the user', role])
  return all
    .filter(([, limit]) => limit >= 0)
    .reduce((least, one) => (one[1] < least[1] ? one : least))
}
