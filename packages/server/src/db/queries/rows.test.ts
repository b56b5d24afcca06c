import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useApplication, useService } from '../../testing/use-service.ts'
import * as rows from './rows.ts'

describe.each(databases)('a row that is named by a key without a value, on $name', (database) => {
  const service = useService(database)
  const key = { aid: 'a', uid: undefined as unknown as string }

  it('is refused, instead of meaning every row that fits the rest', async () => {
    const { database: db } = service.ctx.environments.production
    const message = 'a key has no value'
    await expect(rows.findRow(db.read, 'users', key)).rejects.toThrow(message)
    await expect(rows.listRows(db.read, 'users', key)).rejects.toThrow(message)
    await db.write(async (trx) => {
      await expect(rows.findAndLockRow(trx, 'users', key)).rejects.toThrow(message)
      await expect(rows.lockRow(trx, 'users', key)).rejects.toThrow(message)
      await expect(rows.lockRows(trx, 'users', key, 'uid')).rejects.toThrow(message)
    })
    await expect(db.write((trx) => rows.updateRows(trx, 'users', key, {}))).rejects.toThrow(message)
    await expect(db.write((trx) => rows.deleteRows(trx, 'users', key))).rejects.toThrow(message)
    await expect(
      db.write((trx) => rows.deleteRows(trx, 'users', {} as { aid: string })),
    ).rejects.toThrow(message)
  })
})

describe.each(databases)('the rows that a key names, on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service)

  it('are listed by lists of values, in the order asked for', async () => {
    const { read } = service.ctx.environments.production.database
    for (const rid of ['b', 'c', 'a']) await app.addResource(rid)
    const list = async (rid: string | string[]) =>
      (await rows.listRows(read, 'resources', { aid: app.aid, rid }, ['rid'])).map((row) => row.rid)
    expect(await list('b')).toEqual(['b'])
    expect(await list(['c', 'a', 'nothing'])).toEqual(['a', 'c'])
    expect(await list([])).toEqual([])
  })

  it('are inserted once', async () => {
    const { write } = service.ctx.environments.production.database
    await app.addResource('once')
    const key = { aid: app.aid, rid: 'once' }
    await write(async (trx) => {
      const row = await rows.lockRow(trx, 'resources', key)
      expect(await rows.insertIfAbsent(trx, 'resources', row, ['aid', 'rid'])).toBe(false)
      await rows.deleteRows(trx, 'resources', key)
      await expect(rows.lockRow(trx, 'resources', key)).rejects.toThrow('no row to lock')
      expect(await rows.insertIfAbsent(trx, 'resources', row, ['aid', 'rid'])).toBe(true)
    })
  })

  it('are inserted with every text as it is, and with all their values', async () => {
    const { write, read } = service.ctx.environments.production.database
    const { aid } = app
    const row = { aid, uid: 'texts', ref: '', alias: 0 as const }
    const texts = ['"\\', '\\ud800', '{},', 'é\u2028😀', 'half \ud83d']
    await write(async (trx) => {
      const user = {
        aid,
        uid: 'texts',
        email: null,
        email_key: null,
        first_name: '',
        last_name: '',
      }
      await rows.insertRows(trx, 'users', [
        { ...user, created: 1, erased: null, contact_email: null, link_number: 0 },
      ])
      await rows.insertRows(trx, 'user_refs', [])
      await rows.insertRows(
        trx,
        'user_refs',
        texts.map((ref) => ({ ...row, ref })),
      )
      const incomplete = { ...row, ref: 'other', alias: undefined as unknown as 0 }
      await expect(
        rows.insertRows(trx, 'user_refs', [{ ...row, ref: 'one' }, incomplete]),
      ).rejects.toThrow('a row of user_refs has no alias')
    })
    const found = await rows.listRows(read, 'user_refs', { aid, uid: 'texts' })
    expect(found.map(({ ref }) => ref).sort()).toEqual(
      texts.map((text) => text.replace('half \ud83d', 'half \ufffd')).sort(),
    )
  })
})
