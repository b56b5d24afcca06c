import { expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { plansOf } from '../../testing/query-plans.ts'
import { useService } from '../../testing/use-service.ts'
import { exportCsv } from './export.ts'

const service = useService(databases[0])

it.each(['user_refs', 'former_addresses'])(
  'An export on SQLite reads the %s of the readers on a page, and no others',
  async (table) => {
    const app = await service.newApplication()
    await app.addResource('news')
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
    const plans = await plansOf('sqlite', app.environment.database.read, async (db) => {
      for await (const text of exportCsv(db, app.aid)) expect(text).toContain(',')
    })
    const reads = plans.filter((plan) => plan.includes(table))
    expect(reads).toHaveLength(1)
    expect(reads[0]).toContain('(aid=? AND uid=?)')
  },
)
