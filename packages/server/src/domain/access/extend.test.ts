import { describe, expect, it } from 'vitest'
import { updateRows } from '../../db/queries/rows.ts'
import { FOREVER } from '../../db/tables.ts'
import { afterQuery } from '../../testing/after-query.ts'
import { databases } from '../../testing/databases.ts'
import { useApplication, useService } from '../../testing/use-service.ts'
import { clocksOf } from '../payments/context.ts'
import { extendAccess } from './extend.ts'

describe.each(databases)('Extending access on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service, { resources: ['news'] })
  const env = () => app.environment
  const inputFor = (id: string) => ({
    ...{ aid: app.aid, id, ends: FOREVER, notify: undefined, actor: 'test' },
  })

  it('needs an address that is known to be theirs', async () => {
    const named = { rid: 'news', user_ref: 'ann', email: 'ann@example.com' }
    const { id } = await app.client.grantAccess(named)
    await env().database.write(async (trx) => {
      await updateRows(trx, 'users', { aid: app.aid }, { email: null, email_key: null })
      const extended = extendAccess(trx, inputFor(id), clocksOf(env()))
      await expect(extended).rejects.toMatchObject({
        code: 'invalid_parameter',
        message: 'This user has no verified email address. Set one first.',
      })
    })
  })
})

describe('Extending access on PostgreSQL', () => {
  const service = useService(databases[1])
  const app = useApplication(service, { resources: ['news'] })

  it('gives nothing to somebody whose access is revoked in the same moment', async () => {
    const named = { rid: 'news', user_ref: 'bob' }
    const { id } = await app.client.grantAccess({ ...named, email: 'bob@example.com' })
    const { database } = app.environment
    const extended = database.write((trx) => {
      afterQuery(trx, 1, () => app.client.revokeAccess(named))
      const input = { aid: app.aid, id, ends: FOREVER, notify: undefined, actor: 'test' }
      return extendAccess(trx, input, clocksOf(app.environment))
    })
    await expect(extended).rejects.toMatchObject({ code: 'access_not_found' })
    expect(await app.client.hasAccess(named)).toBe(false)
  })
})
