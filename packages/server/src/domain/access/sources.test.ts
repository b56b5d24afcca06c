import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useApplication, useService } from '../../testing/use-service.ts'
import { lockOrCreateAccess } from './sources.ts'

describe.each(databases)('Access that is paid for, on $name', (database) => {
  const service = useService(database, { checksInvariants: false })
  const app = useApplication(service, { resources: ['news'] })

  async function buy(uid: string, userRef?: string, amount?: number) {
    const paid = amount === undefined ? undefined : { amount, currency: 'EUR' }
    const input = { aid: app.aid, rid: 'news', uid, userRef, paid }
    const { database: db, clock } = app.environment
    return await db.write((trx) => lockOrCreateAccess(trx, input, clock()))
  }
  /** Grants access to a new user, who also has these references. */
  async function newUser(name: string, ...refs: string[]) {
    const granted = await app.client.grantAccess({ rid: 'news', email: `${name}@example.com` })
    const { aid, uid } = granted
    const rows = refs.map((ref) => ({ aid, uid, ref, alias: 0 as const }))
    if (rows.length > 0) {
      await app.environment.database.write((trx) =>
        trx.insertInto('user_refs').values(rows).execute(),
      )
    }
    return granted
  }

  it('is new after the earlier one was revoked, with the reference and the price', async () => {
    const { uid, id } = await newUser('ann', 'ann-1')
    await app.client.revokeAccess({ rid: 'news', user_ref: 'ann-1' })
    const made = await buy(uid, 'ann-1', 499)
    expect(made.id).not.toBe(id)
    const now = app.environment.clock()
    expect(made).toMatchObject({ user_ref: 'ann-1', amount: 499, currency: 'EUR', ends: now })
    expect(await buy(uid)).toEqual(made)
  })

  it('is the access that is there, which keeps its reference unless it gets another', async () => {
    const { uid, id } = await newUser('bob', 'bob-1', 'bob-2')
    expect(await buy(uid)).toMatchObject({ id, user_ref: null, amount: 0, currency: null })
    expect(await buy(uid, 'bob-1', 100)).toMatchObject({ id, user_ref: 'bob-1', amount: 100 })
    expect(await buy(uid, undefined, 200)).toMatchObject({ id, user_ref: 'bob-1', amount: 200 })
    expect(await buy(uid, 'bob-2')).toMatchObject({ id, user_ref: 'bob-2', amount: 200 })
  })

  it('has no reference and no price if none is known', async () => {
    const { uid } = await newUser('cid')
    await app.client.revokeAccess({ rid: 'news', user_ref: uid })
    expect(await buy(uid)).toMatchObject({ user_ref: null, amount: 0, currency: null })
  })
})
