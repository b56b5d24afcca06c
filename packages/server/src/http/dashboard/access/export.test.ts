import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { send } from '../../../testing/http/requests.ts'
import { useApplication, useService, useSignedIn } from '../../../testing/use-service.ts'
import type { Page } from '../schemas.ts'
import type { AuditEntry } from '../staff/schemas.ts'

/** One more than the export reads in one batch. */
const RECORDS = 1_001

describe.each(databases)('an export of access on $name', (database) => {
  const service = useService(database)
  const owner = useSignedIn(service, 'owner')
  const app = useApplication(service, { resources: ['news'] })
  let path: string
  beforeAll(async () => {
    path = `/dashboard/api/${app.environment.name}/${app.aid}/access`
    const lines = Array.from({ length: RECORDS }, (_, i) => `news,r${i}@example.com`)
    const headers = { ...owner.headers, 'content-type': 'application/octet-stream' }
    const body = ['rid,email', ...lines].join('\n')
    await send(service.url, `${path}/import`, { method: 'POST', headers, body })
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await setTags('[]')
  })

  /** Uses its own connection. */
  const asked = () => ({ headers: owner.headers, agent: false })
  const exported = () => send(service.url, `${path}/export.csv?form=raw`, asked())

  /** Sets the tags of all records, or of the one that comes last in the file. */
  async function setTags(tags: string, which: 'all' | 'last' = 'all'): Promise<void> {
    await app.environment.database.write(async (trx) => {
      const { last } = await trx
        .selectFrom('access')
        .select((eb) => eb.fn.max('id').as('last'))
        .executeTakeFirstOrThrow()
      await trx
        .updateTable('access')
        .set({ tags })
        .where('id', '>=', which === 'all' ? '' : last)
        .execute()
    })
  }

  async function audited(): Promise<AuditEntry | undefined> {
    const { body } = await owner.request<Page<AuditEntry>>('GET', '/audit?action=access.export')
    return body.data[0]
  }

  const ended = (outcome: string, details = {}) =>
    vi.waitFor(async () => expect(await audited()).toMatchObject({ outcome, details }), {
      timeout: 60_000,
    })

  it('is in the audit log with all of its rows as soon as it is there', async () => {
    const { text } = await exported()
    expect(text.trimEnd().split('\n')).toHaveLength(1 + RECORDS)
    expect(await audited()).toMatchObject({
      ...{ outcome: 'done', details: { form: 'raw', rows: RECORDS } },
    })
  })

  it('refuses filters in the forms that have all records', async () => {
    for (const query of ['user_ref=', 'user_ref=nobody', 'form=raw&rid=news']) {
      const { status, text } = await send(service.url, `${path}/export.csv?${query}`, asked())
      expect([status, text]).toEqual([400, expect.stringContaining('form=people')])
    }
  })

  it('breaks off where it fails half-way: nobody takes the half for the whole', async () => {
    await setTags('unreadable', 'last')
    await expect(exported()).rejects.toThrow('aborted')
    await ended('internal_error', { rows: 1_000 })
  })

  it("is an error where it can't even begin, and the service goes on", async () => {
    vi.spyOn(app.environment.database, 'snapshot').mockRejectedValueOnce(new Error('no database'))
    const response = await exported()
    expect(response.status).toBe(500)
    expect(JSON.parse(response.text)).toMatchObject({ error: { code: 'internal_error' } })
    await ended('internal_error', { rows: 0 })
  })

  it('is read for nobody who has left before it came', async () => {
    const connected = once(service.app.server, 'connection') as Promise<[Socket]>
    const outgoing = request(`${service.url}${path}/export.csv`, asked())
    outgoing.on('error', () => {})
    vi.spyOn(app.environment, 'refreshClock').mockImplementationOnce(async () => {
      const [socket] = await connected
      outgoing.destroy()
      await once(socket, 'close')
    })
    const snapshot = vi.spyOn(app.environment.database, 'snapshot')
    outgoing.end()
    await ended('cut_off')
    // The snapshot must be released, however far it got.
    const [reading] = await Promise.allSettled([snapshot.mock.results[0]?.value])
    expect(reading?.status).toMatch(/^(?:fulfilled|rejected)$/)
  })

  it('is cut off in the audit log where somebody has stopped taking it', async () => {
    // More than the buffers between the server and a client that does not read can hold.
    await setTags(JSON.stringify(['x'.repeat(20_000)]))
    const outgoing = request(`${service.url}${path}/export.csv`, asked())
    const [incoming] = (await once(outgoing.end(), 'response')) as [IncomingMessage]
    await once(incoming, 'readable')
    expect(await audited()).toMatchObject({ outcome: 'begun' })
    incoming.destroy()
    await ended('cut_off')
  })
})
