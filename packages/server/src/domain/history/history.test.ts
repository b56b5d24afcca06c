import { ApiError } from '@gatehouse/sdk'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useFreshApplication, useService } from '../../testing/use-service.ts'
import { listHistory } from './history.ts'

const FOREVER = 253402300800

describe.each(databases)('History on $name', (database) => {
  const service = useService(database)
  const app = useFreshApplication(service, { resources: ['news'] })

  const now = () => service.clock.seconds
  const input = { rid: 'news', email: 'ann@example.com', user_ref: 'ann-ref' }

  /** The changes made through the API, oldest first, with parsed JSON. */
  async function rows() {
    const all = await listHistory(app.environment.database.read, app.aid)
    return all
      .filter(({ actor }) => actor === 'api')
      .map(({ seq: _, tie_breaker: __, before, after, ...row }) => ({
        ...row,
        before: before === null ? null : JSON.parse(before),
        after: after === null ? null : JSON.parse(after),
      }))
  }

  it('tells of a first grant: the user, the reference, the access, each with who and when', async () => {
    const { id, uid } = await app.client.grantAccess({ ...input, tags: 'gift' })
    const person = { aid: app.aid, uid, at: now(), actor: 'api', rid: null, access_id: null }
    const plain = { before: null, after: null, mail_key: null }
    expect(await rows()).toEqual([
      { ...person, ...plain, action: 'user created' },
      { ...person, ...plain, action: 'reference added' },
      {
        ...person,
        action: 'granted',
        rid: 'news',
        access_id: id,
        before: null,
        after: { ends: FOREVER, grant_ends: FOREVER, tags: ['gift'] },
        mail_key: expect.stringMatching(/^grant:[A-Za-z0-9]{16}:1$/),
      },
    ])
  })

  it('tells of a changed grant what was before and after', async () => {
    const first = now() + 60
    await app.client.grantAccess({ ...input, expiration: first, tags: 'a' })
    service.clock.advance(10)
    const second = now() + 90
    await app.client.grantAccess({
      ...input,
      expiration: second,
      tags: 'b,c',
      suppress_email: true,
    })
    expect((await rows()).slice(3)).toEqual([
      expect.objectContaining({
        action: 'granted',
        at: now(),
        before: { ends: first, tags: ['a'] },
        after: { ends: second, grant_ends: second, tags: ['b', 'c'] },
        mail_key: null,
      }),
    ])
  })

  it('tells of a revoke, and of the new record after it', async () => {
    const { id, uid } = await app.client.grantAccess(input)
    service.clock.advance(5)
    await app.client.revokeAccess({ rid: 'news', user_ref: 'ann-ref' })
    const revoked = now()
    service.clock.advance(5)
    const again = await app.client.grantAccess(input)
    expect((await rows()).slice(3)).toMatchObject([
      {
        action: 'revoked',
        actor: 'api',
        uid,
        rid: 'news',
        access_id: id,
        at: revoked,
        before: { ends: FOREVER },
        after: { revoked },
      },
      { action: 'granted', access_id: again.id, at: now(), before: null },
    ])
  })

  it('has a row for each thing that a grant changes, and none for what it does not', async () => {
    const steps: [Record<string, unknown>, string[]][] = [
      [{ first_name: 'Ann' }, ['user created', 'reference added', 'granted']],
      [{ first_name: 'Ann' }, []],
      [{ first_name: 'Anna' }, ['user renamed']],
      [{ last_name: 'Lee' }, ['user renamed']],
      [{ user_ref: 'other-ref' }, ['reference added', 'granted']],
      [{ user_ref: 'ann-ref' }, ['granted']],
      [{ message: 'Hello' }, ['granted']],
      [{ message: 'Hello' }, []],
      [{ message: 'Hello', suppress_email: true }, []],
      [{ message: 'Hello', tags: 'x' }, ['granted']],
      [{ message: 'Hello', tags: 'x' }, []],
      [{ message: 'Hello', expiration: now() + 9 }, ['granted']],
    ]
    for (const [more, expected] of steps) {
      const before = (await rows()).length
      await app.client.grantAccess({ ...input, ...more })
      const added = (await rows()).slice(before).map(({ action }) => action)
      expect(added, JSON.stringify(more)).toEqual(expected)
    }
  })

  it('has no row for what was refused or only read', async () => {
    await app.client.grantAccess(input)
    const before = await rows()
    const refused = [
      () => app.client.grantAccess({ ...input, rid: 'nothing' }),
      () => app.client.grantAccess({ ...input, email: 'eve@example.com' }),
      () => app.client.revokeAccess({ rid: 'news', user_ref: 'nobody' }),
    ]
    for (const one of refused) await expect(one()).rejects.toThrow(ApiError)
    await app.client.getAccess({ rid: 'news', user_ref: 'ann-ref' })
    await app.client.searchAccess()
    expect(await rows()).toEqual(before)
  })

  it('names people by uid alone: no e-mail, no reference, no name, not even in a tag', async () => {
    const told = {
      ...input,
      first_name: 'Annabella',
      last_name: 'Leewards',
      message: 'a very personal message',
      tags: 'gift,ann@example.com,Ann@Example.com,for ann@example.com',
    }
    await app.client.grantAccess(told)
    await app.client.grantAccess({ ...told, first_name: 'Annamaria', tags: 'eve@example.com' })
    await app.client.grantAccess({ ...told, user_ref: 'second-ref', tags: 'gift' })
    await app.client.revokeAccess({ rid: 'news', user_ref: 'second-ref' })
    const text = JSON.stringify(await listHistory(app.environment.database.read, app.aid))
    expect(text).toContain('gift')
    for (const secret of ['@', 'ann-ref', 'second-ref', 'Anna', 'Leewards', 'personal']) {
      expect(text).not.toContain(secret)
    }
  })

  it('is of one application, and can be asked for one user, resource or access', async () => {
    const other = await service.newApplication()
    await other.addResource('news')
    await other.client.grantAccess(input)
    const ann = await app.client.grantAccess(input)
    const bob = await app.client.grantAccess({ rid: 'news', email: 'bob@example.com' })
    const db = app.environment.database.read
    const uids = async (filter: object) =>
      new Set((await listHistory(db, app.aid, filter)).map(({ uid }) => uid))
    expect(await uids({ uid: ann.uid })).toEqual(new Set([ann.uid]))
    expect(await uids({ accessId: bob.id })).toEqual(new Set([bob.uid]))
    expect(await uids({ rid: 'news' })).toEqual(new Set([null, ann.uid, bob.uid]))
    expect(await uids({ rid: 'nothing' })).toEqual(new Set())
  })
})
