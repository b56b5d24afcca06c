import { expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { plansOf } from '../../testing/query-plans.ts'
import { useService } from '../../testing/use-service.ts'
import { listFormerAddresses } from './former-addresses.ts'
import { listNames } from './users.ts'

const service = useService(databases[0])

it.each([
  { what: 'references', list: listNames },
  { what: 'former addresses', list: listFormerAddresses },
])('The $what of a user are found on SQLite without reading those of others', async ({ list }) => {
  const { aid, environment } = await service.newApplication()
  const plans = await plansOf('sqlite', environment.database.read, (db) => list(db, aid, 'nobody'))
  expect(plans).toEqual([expect.stringContaining('(aid=? AND uid=?)')])
})
