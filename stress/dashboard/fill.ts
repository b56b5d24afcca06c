import { recount } from '../../packages/server/src/domain/access/counts/counting.ts'
import { foldAllRevenue } from '../../packages/server/src/domain/figures/sums.ts'
import type { TestInstallation } from '../../packages/server/src/testing/databases.ts'
import {
  type Credentials,
  createApplicationIn,
  withContext,
} from '../../packages/server/src/testing/installations.ts'
import { runStatement } from '../../packages/server/src/testing/postgres/run-statement.ts'
import { runSql } from '../../packages/server/src/testing/run-sql.ts'
import { crowdStatements } from './crowd.ts'

/** Adds an application with that many people to production, as if they had come over the last three years. */
export async function fillWithPeople(
  installation: TestInstallation,
  people: number,
): Promise<Credentials> {
  const began = performance.now()
  const credentials = await createApplicationIn(installation)
  await withContext(installation, async ({ environments: { production } }) => {
    const { database, clock } = production
    const crowd = { aid: credentials.aid, people, now: clock() }
    const fill = crowdStatements(database.engine, crowd)
    await database.write(
      async (trx) => {
        for (const statement of fill) await runSql(trx, statement)
        await recount(trx, database.engine, clock())
        await foldAllRevenue(trx)
      },
      { batch: true },
    )
  })
  const { GATEHOUSE_DATABASE_URL: url } = installation.env
  // PostgreSQL does this by itself after a while. SQLite has no statistics, because Gatehouse makes none.
  if (url !== undefined) await runStatement(url, 'vacuum analyze')
  console.info(`${people} people added in ${Math.round((performance.now() - began) / 1000)} s`)
  return credentials
}
