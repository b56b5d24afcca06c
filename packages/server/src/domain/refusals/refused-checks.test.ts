import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { sendSigned } from '../../testing/http/requests.ts'
import { DAY } from '../../testing/time.ts'
import { useFreshApplication, useService } from '../../testing/use-service.ts'
import { setOpens } from '../passes/opens.ts'
import { eraseUser } from '../people/erase.ts'
import { mergeUsers } from '../people/merge.ts'
import { collectPerson } from '../people/person-data.ts'
import { deleteOldRefusedChecks, listRefusedChecks } from './refused-checks.ts'

describe.each(databases)('refused access checks on $name', (database) => {
  // Every response is compared with the route's, which must not count as a second check.
  const service = useService(database, () => ({ env: { GATEHOUSE_FAST_PATH_SAMPLE: '1' } }))
  const app = useFreshApplication(service, { resources: ['news', 'maps'] })

  const env = () => app.environment
  const now = () => service.clock.seconds
  const grant = (user_ref: string, more: { rid?: string; expiration?: number } = {}) =>
    app.client.grantAccess({
      ...{ rid: 'news', user_ref, email: `${user_ref}@example.com`, suppress_email: true },
      ...more,
    })
  const check = async (rid: string, user_ref: string) => {
    await expect(app.client.getAccess({ rid, user_ref })).rejects.toMatchObject({ status: 404 })
  }
  const list = async (uid: string) => {
    await env().refusals.flush()
    return await listRefusedChecks(env().database.read, app.aid, uid, now())
  }

  it('are kept with the reason at their time, whatever is granted later', async () => {
    const start = now()
    const { uid } = await grant('ann', { expiration: start + 60 })
    await check('maps', 'ann')
    service.clock.advance(90)
    await check('news', 'ann')
    service.clock.advance(10)
    await check('news', 'ann')
    await grant('ann', { expiration: now() + 50 })
    await app.client.getAccess({ rid: 'news', user_ref: 'ann' })
    await app.client.revokeAccess({ rid: 'news', user_ref: 'ann' })
    service.clock.advance(5)
    await check('news', 'ann')
    await check('new', 'ann')
    await grant('ann')
    await grant('ann', { rid: 'maps' })
    expect(await list(uid)).toMatchObject([
      { rid: 'new', code: 'no_resource', since: null, last_at: start + 105, times: 1 },
      { rid: 'news', code: 'revoked', since: start + 100, last_at: start + 105, times: 1 },
      {
        ...{ rid: 'news', code: 'expired', since: start + 60 },
        ...{ first_at: start + 90, last_at: start + 100, times: 2 },
      },
      { rid: 'maps', code: 'never_granted', since: null, last_at: start, times: 1 },
    ])
    await grant('ann', { expiration: now() + 1 })
    service.clock.advance(1)
    await check('news', 'ann')
    expect((await list(uid))[0]).toMatchObject({
      ...{ code: 'expired', since: start + 106, first_at: start + 90, times: 3 },
    })
  })

  it('name the pass that had given access, and count one by one', async () => {
    const { aid } = app
    const opens = { rids: [], prefixes: ['issue/'], all: false }
    await env().database.write((trx) => setOpens(trx, { aid, rid: 'maps' }, opens, now(), 'test'))
    const start = now()
    const { uid } = await grant('ann', { rid: 'maps', expiration: start + 60 })
    await app.client.getAccess({ rid: 'issue/7', user_ref: 'ann' })
    service.clock.advance(90)
    await check('issue/7', 'ann')
    for (const rids of ['issue/8', 'issue/9 issue/10']) {
      const { status } = await sendSigned(app, 'GET', '/r2/access/check', { user_ref: 'ann', rids })
      expect(status).toBe(200)
    }
    const [eight, seven, ...rest] = (await list(uid)).sort((a, b) => (a.rid < b.rid ? 1 : -1))
    expect(eight).toMatchObject({ rid: 'issue/8', code: 'expired', since: start + 60, via: 'maps' })
    expect(seven).toMatchObject({ rid: 'issue/7', code: 'expired', since: start + 60, via: 'maps' })
    expect(rest).toEqual([])
    // Access that was extended since says nothing about the moment of the check.
    await check('issue/11', 'ann')
    await grant('ann', { rid: 'maps', expiration: start + 900 })
    expect(await list(uid)).toHaveLength(2)
  })

  it('of people who are not known are not stored, and nothing is written for them', async () => {
    const { uid } = await grant('ann')
    const before = env().database.dataVersion()
    await check('news', 'stranger')
    await check('news', `${uid}x`)
    expect(await list(uid)).toEqual([])
    expect(env().database.dataVersion()).toBe(before)
    const stored = env().database.read.selectFrom('refused_checks').where('aid', '=', app.aid)
    expect(await stored.select('uid').execute()).toEqual([])
  })

  it('are twenty at most for each reader, the latest, for thirty days', async () => {
    const { uid } = await grant('ann')
    for (let i = 0; i < 25; i++) {
      service.clock.advance(1)
      env().refusals.add(app.aid, `issue-${i}`, 'ann', undefined)
      if (i === 10) await env().refusals.flush()
    }
    const kept = await list(uid)
    expect(kept.map(({ rid }) => rid)).toEqual(
      Array.from({ length: 20 }, (_, i) => `issue-${24 - i}`),
    )
    service.clock.advance(30 * DAY - 2)
    expect((await list(uid)).map(({ rid }) => rid)).toEqual(['issue-24', 'issue-23'])
    await deleteOldRefusedChecks(env().database, now())
    const { refused_checks: stored } = await collectPerson(env().database.read, app.aid, uid)
    expect(stored.map(({ rid }) => rid)).toEqual(['issue-23', 'issue-24'])
  })

  it('are joined by a merge, exported, and gone after an erasure', async () => {
    const { uid: from } = await grant('ann')
    const { uid: into } = await grant('ann2')
    await check('maps', 'ann')
    await env().refusals.flush()
    service.clock.advance(7)
    await check('maps', 'ann2')
    await env().refusals.flush()
    await check('maps', 'ann')
    const who = { aid: app.aid, actor: 'test' }
    await env().database.write((trx) => mergeUsers(trx, { ...who, from, into }, now()))
    // After a merge, the reference of the merged user names the remaining one, also in checks collected before.
    expect(await list(into)).toMatchObject([
      { code: 'never_granted', first_at: now() - 7, last_at: now(), times: 3 },
    ])
    expect(await list(from)).toEqual([])
    const { refused_checks: exported } = await collectPerson(env().database.read, app.aid, into)
    expect(exported).toMatchObject([{ rid: 'maps', code: 'never_granted', times: 3 }])

    await check('maps', 'ann2')
    const clocks = { now: now(), realTime: service.clock.now }
    await Promise.all([
      env().refusals.flush(),
      env().database.write((trx) => eraseUser(trx, { ...who, uid: into }, clocks)),
    ])
    await check('maps', 'ann2')
    expect(await list(into)).toEqual([])
  })

  it('are collected up to a limit, and each once however often it is repeated', async () => {
    const { uid } = await grant('ann')
    for (let i = 0; i < 2_000; i++) env().refusals.add(app.aid, 'news', `stranger ${i}`, undefined)
    env().refusals.add(app.aid, 'maps', 'ann', undefined)
    expect(await list(uid)).toEqual([])
    for (let i = 0; i < 3_000; i++) env().refusals.add(app.aid, 'maps', 'ann', undefined)
    expect(await list(uid)).toMatchObject([{ rid: 'maps', times: 3_000 }])
  })
})
