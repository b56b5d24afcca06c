import type { QueryExecutor } from 'kysely'
import type { Db, EnvironmentDatabase } from '../db/database.ts'
import { INSTALLATION_TABLES } from './installation-tables.ts'

/** Tables with one row for each application, which background jobs go through. */
const LISTS_OF_APPLICATIONS = ['applications', 'access_watermarks']

/** The code that may ask for rows of all applications, and the reason. On several servers, each of these queries would
 * have to go to all of them. */
const ASKS_ALL: Readonly<Record<string, string>> = {
  'db/invariants/': 'checks the whole database',
  'db/find-application.ts': 'looks for the application of an id that arrives alone',
  'domain/backup/': 'copies the whole database',
  'domain/move/': 'copies the whole database',
  'domain/sandbox/reset.ts': 'empties the sandbox',
  'domain/access/counts/counting.ts': 'counts everything again after a restore',
  'domain/figures/sums.ts': 'adds up the revenue of all applications after a restore or a move',
  'domain/access/counts/all-applications.ts': 'counts for metrics',
  'domain/apps/sealed.ts': 'seals all keys again with a new master key',
  'domain/apps/keyring.ts': 'reads the keys of all applications',
  'domain/webhooks/waiting.ts': 'counts for metrics',
  'domain/webhooks/switch.ts': 'stops or rewinds all endpoints of a copy or of the sandbox',
  'domain/hold/': 'closes or keeps everything that waits after a restore',
  'domain/mail/outbox.ts': 'lists and counts for an operator, and for metrics',
  'domain/payments/orders/pending-counts.ts': 'counts for metrics',
  'domain/people/erasures.ts': 'counts for metrics',
  'domain/downloads/damage.ts': 'checks all files',
  'domain/images/sweep.ts': 'looks for images that nothing shows',
  'domain/downloads/sweep.ts':
    'looks for another file with the same bytes, which the disk stores once',
}

/** Words that can follow a table where an alias could be. */
const KEYWORDS =
  'where|set|on|join|left|inner|cross|order|group|having|limit|select|values|returning|union|default|do'
const REFERENCE = new RegExp(
  `\\b(from|join|update)\\s+([a-z_]+)(?:\\s+(?:as\\s+)?(?!(?:${KEYWORDS})\\b)([a-z_0-9]+))?`,
  'gi',
)
const BARE_AID = /(^|[^.\w])aid\s*(=|in\b|>)/i

/** Lists the tables of applications that a statement reads or changes without saying of which application. */
export function tablesWithoutAid(statement: string, tables: ReadonlySet<string>): string[] {
  const text = statement.replaceAll('"', '')
  const found: string[] = []
  for (const [, , table = '', alias = table] of text.matchAll(REFERENCE)) {
    if (!tables.has(table)) continue
    const named = new RegExp(`\\b${alias}\\.aid\\s*(=|in\\b|>)|=\\s*${alias}\\.aid\\b`, 'i')
    if (!named.test(text) && !BARE_AID.test(text)) found.push(table)
  }
  return found
}

const ofApplications = new Set<string>()
const checked = new Set<string>()
const watched = new WeakSet<QueryExecutor>()

/** The file of the product that runs the current statement, relative to `src/`; undefined if a test does. */
function callerOf(stack: string): string | undefined {
  const [caller] = [...stack.matchAll(/\/packages\/server\/src\/([^:)]+\.ts)/g)]
    .map(([, file = '']) => file)
    .filter((file) => !file.startsWith('testing/require-aid') && file !== 'db/queries/rows.ts')
  return caller?.startsWith('testing/') || caller?.endsWith('.test.ts') ? undefined : caller
}

function requireAid(sql: string): void {
  if (checked.has(sql)) return
  const tables = tablesWithoutAid(sql, ofApplications)
  const caller = tables.length === 0 ? undefined : callerOf(new Error().stack ?? '')
  if (caller === undefined || Object.keys(ASKS_ALL).some((file) => caller.startsWith(file))) {
    // Nothing else runs the statements of the invariants, which come after every test file, and a stack is slow to make.
    if (tables.length === 0 || caller?.startsWith('db/invariants/')) checked.add(sql)
    return
  }
  throw new Error(`${caller} asks for rows of ${tables.join(', ')} without their aid: ${sql}`)
}

/** Checks every statement that is run through this object. A plugin could do so too, but would have to compile each one
 * a second time. */
function watch(db: Db): void {
  const executor = db.getExecutor()
  if (watched.has(executor)) return
  watched.add(executor)
  const { executeQuery, stream } = executor
  executor.executeQuery = (query) => {
    requireAid(query.sql)
    return executeQuery.call(executor, query) as never
  }
  executor.stream = (query, ...more) => {
    requireAid(query.sql)
    return stream.call(executor, query, ...more) as never
  }
}

/** Makes every statement of the product fail that forgets the application. */
export async function requireAidInQueries(database: EnvironmentDatabase): Promise<void> {
  if (ofApplications.size === 0) {
    for (const { name } of await database.read.introspection.getTables()) {
      const isShared = INSTALLATION_TABLES.includes(name) || LISTS_OF_APPLICATIONS.includes(name)
      if (!isShared) ofApplications.add(name)
    }
  }
  watch(database.read)
  const { write } = database
  database.write = (fn, options) =>
    write((trx) => {
      watch(trx)
      return fn(trx)
    }, options)
}
