import { expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { plansOf } from '../../testing/query-plans.ts'
import { useService } from '../../testing/use-service.ts'
import { listNames } from './users.ts'

const service = useService(databases[0])

it('The names of a user are found on SQLite without reading those of others', async () => {
  const { aid, environment } = await service.newApplication()
  const plans = await plansOf('sqlite', environment.database.read, (db) =>
    listNames(db, aid, 'nobody'),
  )
  expect(plans).toEqual([expect.stringContaining('(aid=? AND uid=?)')])
})
