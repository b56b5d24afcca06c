import { describe, expect, it } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { callManagement, newProgram } from '../../../testing/management.ts'
import { useApplication, useService } from '../../../testing/use-service.ts'

const codeIn = ({ json }: { json: never }) => (json as { error?: { code: string } }).error?.code

describe.each(databases)('a change by a program with an Idempotency-Key, on $name', (database) => {
  const service = useService(database)
  // Another process on the same database.
  const second = useService(database, () => ({ installation: service.installation }))
  const app = useApplication(service, { resources: ['news'] })

  const open = async () => {
    const { token } = await newProgram(service, 'support')
    return {
      call(method: string, path: string, key: string, body: unknown = {}, url = service.url) {
        const at = `/production/applications/${app.aid}${path}`
        const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key }
        return callManagement(url, method, at, { body, headers })
      },
    }
  }
  const grant = { rid: 'news', email: 'ann@example.com', user_ref: 'ann' }
  const countHistory = async () => {
    const rows = await app.environment.database.read
      .selectFrom('history')
      .select('seq')
      .where('aid', '=', app.aid)
      .execute()
    return rows.length
  }

  it('takes effect once, and is answered the same at every process', async () => {
    const program = await open()
    const first = await program.call('POST', '/access', 'order-1', grant)
    expect(first.status).toBe(200)
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    const { id } = first.json as { id: string }
    await program.call('POST', `/access/${id}/revoke`, 'order-1/revoke')
    const before = await countHistory()
    // In another order, and although the access is revoked: it is the same request.
    const { rid, ...rest } = grant
    const again = await program.call('POST', '/access', 'order-1', { ...rest, rid }, second.url)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(again.headers['idempotent-replayed']).toBe('true')
    const revoke = [`/access/${id}/revoke`, 'order-1/revoke', {}, second.url] as const
    const revoked = await program.call('POST', ...revoke)
    expect([revoked.status, revoked.headers['idempotent-replayed']]).toEqual([200, 'true'])
    expect(await countHistory()).toBe(before)
  })

  it('is refused if its key belongs to another request, and belongs to its token and its path', async () => {
    const program = await open()
    const resource = { rid: 'key-a', name: 'A' }
    expect((await program.call('POST', '/resources', 'k', resource)).status).toBe(200)
    const other = await program.call('POST', '/resources', 'k', { rid: 'key-b', name: 'B' })
    expect([other.status, codeIn(other)]).toEqual([409, 'idempotency_key_conflict'])
    const note = await program.call('POST', '/resources/key-a/archive', 'k')
    expect(note.headers['idempotent-replayed']).toBeUndefined()
    const stranger = await open()
    const theirs = await stranger.call('POST', '/resources', 'k', { rid: 'key-c', name: 'C' })
    expect(theirs.status).toBe(200)
  })

  it('may be sent again with its key if it was refused', async () => {
    const program = await open()
    const early = await program.call('POST', '/access', 'late', { ...grant, rid: 'not-yet' })
    expect(early.status).toBeGreaterThanOrEqual(400)
    await app.addResource('not-yet')
    const later = await program.call('POST', '/access', 'late', { ...grant, rid: 'not-yet' })
    expect([later.status, later.headers['idempotent-replayed']]).toEqual([200, undefined])
  })

  it('is carried out by one of several at the same time; the others wait, or get its answer', async () => {
    const program = await open()
    const body = { ...grant, user_ref: 'race', email: 'race@example.com' }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        program.call('POST', '/access', 'race', body, n % 2 ? service.url : second.url),
      ),
    )
    const done = answers.filter(({ status }) => status === 200)
    expect(done.length).toBeGreaterThan(0)
    expect(new Set(done.map(({ text }) => text)).size).toBe(1)
    const rest = answers.filter(({ status }) => status !== 200)
    expect(rest.map((one) => codeIn(one))).toEqual(rest.map(() => 'request_running'))
    expect(done.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(
      1,
    )
  })

  it('is not repeated if its answer was lost, or its reader was erased', async () => {
    const program = await open()
    const body = { ...grant, user_ref: 'gone', email: 'gone@example.com' }
    const { json } = await program.call('POST', '/access', 'gone', body)
    const { write } = app.environment.database
    await program.call('POST', '/resources', 'lost', { rid: 'lost', name: 'Lost' })
    // The state that a process leaves if it is killed before its handler has ended.
    await write((trx) =>
      trx
        .updateTable('handled_requests')
        .set({ body: '{}', lease_until: 1 })
        .where('aid', '=', app.aid)
        .where('uid', 'is', null)
        .execute(),
    )
    const lost = await program.call('POST', '/resources', 'lost', { rid: 'lost', name: 'Lost' })
    expect([lost.status, codeIn(lost)]).toEqual([409, 'answer_lost'])
    const { uid } = (json as { person: { uid: string } }).person ?? (json as { uid: string })
    const erase = () => program.call('POST', `/users/${uid}/erase`, 'erase')
    const erased = await erase()
    expect(erased.status).toBe(200)
    expect((await erase()).text).toBe(erased.text)
    const again = await program.call('POST', '/access', 'gone', body)
    expect([again.status, codeIn(again)]).toEqual([402, 'answer_erased'])
  })

  it('has a key of 1 to 255 characters; links are made anew', async () => {
    const program = await open()
    const long = await program.call('POST', '/resources', 'k'.repeat(256), { rid: 'x', name: 'X' })
    expect(long.status).toBe(400)
    const preview = await program.call('POST', '/access', 'preview', { ...grant, dry_run: true })
    expect(preview.status).toBe(200)
    const real = await program.call('POST', '/access', 'preview', grant)
    expect(real.headers['idempotent-replayed']).toBeUndefined()
  })
})
