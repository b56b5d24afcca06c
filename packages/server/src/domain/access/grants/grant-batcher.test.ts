import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { FOREVER } from '../../../db/tables.ts'
import { Failure } from '../../../errors.ts'
import { newUid } from '../../../ids.ts'
import { databases } from '../../../testing/databases.ts'
import { useFreshApplication, useService } from '../../../testing/use-service.ts'
import type { Grant } from './input.ts'

/** Makes the database itself refuse one user: SQLite on insert, PostgreSQL at commit. */
const REFUSAL = {
  sqlite: `create trigger refuse before insert on users when new.email = 'bad@example.com'
    begin select raise(abort, 'refused'); end`,
  postgres: `create function refuse() returns trigger language plpgsql as $$ begin
      if new.email = 'bad@example.com' then raise 'refused'; end if; return new; end $$;
    create constraint trigger refuse after insert on users deferrable initially deferred
      for each row execute function refuse()`,
}

describe.each(databases)('Grants that arrive together, on $name', (database) => {
  const service = useService(database)
  const app = useFreshApplication(service, { resources: ['news'] })

  const wishOf = (name: string, rid: string): Grant => ({
    aid: app.aid,
    rid,
    email: `${name}@example.com`,
    userRef: `ref-${name}`,
    ends: FOREVER,
    notify: 'kept',
    actor: 'test',
  })
  /** Sends all grants in one turn of the event loop. Returns the email address of each record, or the error code. */
  const grantAll = (names: readonly string[], rid = 'news') =>
    Promise.all(
      names.map((name) =>
        app.environment.grants
          .grant(wishOf(name, rid))
          .then((access) => access.email)
          .catch((error) => (error instanceof Failure ? error.code : 'broken')),
      ),
    )
  const names = Array.from({ length: 40 }, (_, i) => `reader${i}`)
  const addresses = names.map((name) => `${name}@example.com`)

  it('are written in one transaction, and each is answered with its own record', async () => {
    const writes = vi.spyOn(app.environment.database, 'write')
    expect(await grantAll(names)).toEqual(addresses)
    expect(writes).toHaveBeenCalledOnce()
    writes.mockRestore()
    const mails = await app.environment.database.read
      .selectFrom('outbox')
      .select('recipient')
      .where('aid', '=', app.aid)
      .execute()
    expect(mails.map(({ recipient }) => recipient).sort()).toEqual([...addresses].sort())
  })

  it('are refused one by one: the others are granted', async () => {
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ref-reader7' })
    const expected = addresses.map((address, i) => (i === 7 ? 'user_ref_taken' : address))
    expect(await grantAll(names)).toEqual(expected)
    expect(await grantAll(['a', 'b'], 'unknown')).toEqual([
      'resource_not_found',
      'resource_not_found',
    ])
  })

  it('do not fail with one whose fault nobody foresaw', async () => {
    const { database: db } = app.environment
    const statement = REFUSAL[db.engine]
    await db.write((trx) => sql.raw(statement).execute(trx))
    const results = await grantAll(['good1', 'bad', 'good2', 'good3'])
    expect(results).toEqual([
      'good1@example.com',
      'broken',
      'good2@example.com',
      'good3@example.com',
    ])
  })

  it('name one reader who has two references and no address by one address, as one by one', async () => {
    const { database: db, clock, grants } = app.environment
    const uid = newUid()
    await db.write(async (trx) => {
      const person = { aid: app.aid, uid, first_name: '', last_name: '', created: clock() }
      const unknown = {
        link_number: 0,
        email: null,
        email_key: null,
        contact_email: null,
        erased: null,
      }
      await trx
        .insertInto('users')
        .values({ ...person, ...unknown })
        .execute()
      const refs = ['ref-1', 'ref-2'].map((ref) => ({ aid: app.aid, uid, ref }))
      await trx.insertInto('user_refs').values(refs).execute()
    })
    const results = await Promise.allSettled([
      grants.grant({ ...wishOf('first', 'news'), userRef: 'ref-1' }),
      grants.grant({ ...wishOf('second', 'news'), userRef: 'ref-2' }),
    ])
    expect(results).toMatchObject([
      { status: 'fulfilled', value: { uid, email: 'first@example.com' } },
      { status: 'rejected', reason: { code: 'user_ref_taken' } },
    ])
  })

  it('wait no longer than one that somebody holds up', async () => {
    await grantAll(['held', 'free1', 'free2'])
    const { database: db } = app.environment
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let isHeld = () => {}
    const holding = new Promise<void>((resolve) => {
      isHeld = resolve
    })
    const holder = db.write(
      async (trx) => {
        await trx
          .selectFrom('users')
          .select('uid')
          .where('email', '=', 'held@example.com')
          .forUpdate()
          .execute()
        isHeld()
        await held
      },
      { batch: true },
    )
    await holding
    // SQLite has a single writer, so all grants wait for this transaction.
    if (db.engine === 'sqlite') release()
    await app.addResource('more')
    const results = await grantAll(['free1', 'held', 'free2'], 'more')
    const fate = db.engine === 'sqlite' ? 'held@example.com' : 'broken'
    expect(results).toEqual(['free1@example.com', fate, 'free2@example.com'])
    release()
    await holder
  })
})
