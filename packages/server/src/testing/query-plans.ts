import type { CompiledQuery } from 'kysely'
import type { Db, Engine } from '../db/database.ts'

/** Returns the query plan of each query that `ask` runs. */
export async function plansOf(
  engine: Engine,
  db: Db,
  ask: (db: Db) => Promise<unknown>,
): Promise<string[]> {
  const queries: CompiledQuery[] = []
  const spied = db.withPlugin({
    transformQuery({ node, queryId }) {
      queries.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await ask(spied)
  const explain = engine === 'sqlite' ? 'explain query plan' : 'explain'
  const plans: string[] = []
  for (const query of queries) {
    const explained = { ...query, sql: `${explain} ${query.sql}` }
    const { rows } = await db.executeQuery<Record<string, unknown>>(explained)
    plans.push(rows.map((row) => row.detail ?? row['QUERY PLAN']).join('\n'))
  }
  return plans
}
