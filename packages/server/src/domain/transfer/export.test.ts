import { expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { plansOf } from '../../testing/query-plans.ts'
import { useService } from '../../testing/use-service.ts'
import { exportCsv } from './export.ts'

const service = useService(databases[0])

it('An export on SQLite reads the references of the readers on a page, and no others', async () => {
  const app = await service.newApplication()
  await app.addResource('news')
  await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
  const plans = await plansOf('sqlite', app.environment.database.read, async (db) => {
    for await (const text of exportCsv(db, app.aid)) expect(text).toContain(',')
  })
  const reads = plans.filter((plan) => plan.includes('user_refs'))
  expect(reads).toHaveLength(1)
  expect(reads[0]).toContain('(aid=? AND uid=?)')
})
