import { describe, expect, it } from 'vitest'
import { formatTime } from '../../format-time.ts'
import { databases } from '../../testing/databases.ts'
import { useApplication, useService } from '../../testing/use-service.ts'
import { archiveApplication } from '../apps/applications.ts'
import { eraseUser } from '../people/erase.ts'
import { mergeUsers } from '../people/merge.ts'
import { explainAccess } from './explain.ts'

describe.each(databases)('why somebody has access, or not, on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service, { resources: ['news'] })

  const now = () => formatTime(service.clock.seconds)
  const why = (userRef: string, rid = 'news', of = app) =>
    explainAccess(
      of.environment.database.read,
      { aid: of.aid, rid, userRef },
      service.clock.seconds,
    )
  /** The answer about somebody who never had access. */
  const refusal = (code: string, reason: string, decided: string) => ({
    ...{ access: false, code, reason, history: [] },
    decision: expect.objectContaining({ granted: false, code: decided }),
  })
  const grant = (user_ref: string, more = {}) =>
    app.client.grantAccess({ rid: 'news', email: `${user_ref}@example.com`, user_ref, ...more })

  it('names the resource that does not exist', async () => {
    await grant('known')
    expect(await why('known', 'olds')).toEqual(
      refusal('resource_not_found', 'There is no resource olds.', 'never_granted'),
    )
  })

  it('names the reference that no user has', async () => {
    expect(await why('nobody')).toEqual(
      refusal('user_not_found', 'There is no user with the reference nobody.', 'user_unknown'),
    )
  })

  it('knows no user of another application', async () => {
    const other = await service.newApplication()
    await other.addResource('news')
    await grant('mine')
    expect((await why('mine', 'news', other)).code).toBe('user_not_found')
  })

  it('takes the uid of a user who has references', async () => {
    const { uid } = await grant('referred')
    expect(await why(uid)).toMatchObject({ access: true, code: 'live' })
  })

  it('says that a uid was that of somebody who was erased', async () => {
    const { uid } = await grant('gone')
    const { database: db, clock, realTime } = app.environment
    const who = { aid: app.aid, uid, actor: 'test' }
    await db.write((trx) => eraseUser(trx, who, { now: clock(), realTime: realTime() }))
    const reason = `${uid} is the uid of a user who was erased: it names nobody any more.`
    expect(await why(uid)).toEqual(refusal('user_not_found', reason, 'user_unknown'))
  })

  it('says that a known user never had access to this resource', async () => {
    await app.addResource('untouched')
    await grant('elsewhere')
    expect(await why('elsewhere', 'untouched')).toEqual(
      refusal('never_granted', 'elsewhere never had access to untouched.', 'never_granted'),
    )
  })

  it('names the last grant of a live access, its end and who made it', async () => {
    await grant('live', { expiration: service.clock.seconds + 60 })
    service.clock.advance(10)
    const ends = service.clock.seconds + 3600
    await grant('live', { expiration: ends })
    const answer = await why('live')
    expect(answer).toMatchObject({ access: true, code: 'live' })
    expect(answer.reason).toBe(
      `live has access to news until ${formatTime(ends)}, because of the grant on ${now()} by api.`,
    )
    expect(answer.history.map((row) => row.action)).toEqual(['granted', 'granted'])
  })

  it('says that access goes on without an end', async () => {
    await grant('forever')
    expect((await why('forever')).reason).toBe(
      `forever has access to news without an end, because of the grant on ${now()} by api.`,
    )
  })

  it('says when access expired, from that very second on', async () => {
    const ends = service.clock.seconds + 60
    await grant('brief', { expiration: ends })
    service.clock.advance(59)
    expect((await why('brief')).access).toBe(true)
    service.clock.advance(1)
    const answer = await why('brief')
    expect(answer).toMatchObject({ access: false, code: 'expired' })
    expect(answer.reason).toContain(`expired on ${formatTime(ends)}`)
  })

  it('says when and by whom access was revoked, and forgets that after a new grant', async () => {
    await grant('gone')
    service.clock.advance(5)
    await app.client.revokeAccess({ rid: 'news', user_ref: 'gone' })
    const revokedAt = now()
    service.clock.advance(5)
    const answer = await why('gone')
    expect(answer).toMatchObject({ access: false, code: 'revoked' })
    expect(answer.reason).toBe(`The access of gone to news was revoked on ${revokedAt} by api.`)
    expect(answer.history.map((row) => row.action)).toEqual(['granted', 'revoked'])
    await grant('gone')
    const again = await why('gone')
    expect(again.access).toBe(true)
    expect(again.history.map((row) => row.action)).toEqual(['granted', 'revoked', 'granted'])
  })

  it('agrees with the answer of the API', async () => {
    for (const user_ref of ['live', 'brief', 'gone', 'nobody', 'elsewhere']) {
      const { access } = await why(user_ref)
      expect([user_ref, await app.client.hasAccess({ rid: 'news', user_ref })]).toEqual([
        user_ref,
        access,
      ])
    }
  })

  it('says that the requests of an archived application are refused', async () => {
    const archived = await service.newApplication()
    const { database: db, clock } = archived.environment
    await db.write((trx) => archiveApplication(trx, archived.aid, clock(), 'test'))
    const answer = await why('anybody', 'news', archived)
    expect(answer).toMatchObject({ access: false, code: 'application_archived', history: [] })
    expect(answer.reason).toContain(now())
  })

  it('tells what happened to a record before and after a merge in its order', async () => {
    const gone = await grant('before')
    service.clock.advance(1)
    const { uid } = await grant('after', { expiration: service.clock.seconds + 5 })
    service.clock.advance(1)
    await grant('before', { expiration: service.clock.seconds + 60 })
    service.clock.advance(1)
    const merge = { aid: app.aid, from: gone.uid, into: uid, actor: 'test' }
    await app.environment.database.write((trx) => mergeUsers(trx, merge, service.clock.seconds))
    service.clock.advance(1)
    await app.client.revokeAccess({ rid: 'news', user_ref: 'before' })
    const { history } = await why('after')
    expect(history.map(({ action }) => action)).toEqual([
      ...['granted', 'granted', 'granted', 'revoked', 'merged', 'revoked'],
    ])
    expect(history.map(({ at }) => at)).toEqual(history.map(({ at }) => at).sort((a, b) => a - b))
  })
})
