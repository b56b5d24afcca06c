import { statfsSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { signInAs } from '../../../testing/dashboard-api.ts'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { useDashboardAccess } from '../../../testing/http/dashboard-access.ts'
import { send } from '../../../testing/http/requests.ts'
import { startTestService } from '../../../testing/service.ts'

const FILE = 'rid,email\nnews,ann@example.com\n'
const TYPE = { 'content-type': 'application/octet-stream' }

describe.each(entryPointDatabases)('the file of an import on $name', (database) => {
  const { service, staff, app } = useDashboardAccess(database)
  const path = () => `/dashboard/api/${app.environment.name}/${app.aid}/access/import/read`
  const read = () =>
    send(service.url, path(), {
      method: 'POST',
      headers: { ...staff.headers, ...TYPE },
      body: FILE,
    })

  /** Begins to send a file, and goes on with it only when told to. */
  const beginUpload = () => {
    const outgoing = request(new URL(path(), service.url), {
      ...{ method: 'POST', agent: false },
      headers: { ...staff.headers, ...TYPE, 'content-length': Buffer.byteLength(FILE) },
    })
    const status = new Promise<number | undefined>((resolve) => {
      outgoing.on('response', (incoming) => {
        incoming.resume()
        resolve(incoming.statusCode)
      })
      outgoing.on('error', () => resolve(undefined))
    })
    outgoing.write(FILE.slice(0, 20))
    return { outgoing, status }
  }
  const beforeLong = <T>(work: Promise<T>) => Promise.race([work, sleep(400, 'waits' as const)])

  it('is read only when the one before it has been, and after one whose sender left', async () => {
    const first = beginUpload()
    expect(await beforeLong(first.status)).toBe('waits')
    const second = read()
    expect(await beforeLong(second)).toBe('waits')
    first.outgoing.end(FILE.slice(20))
    expect([await first.status, (await second).status]).toEqual([200, 200])

    const gone = beginUpload()
    expect(await beforeLong(gone.status)).toBe('waits')
    const third = read()
    expect(await beforeLong(third)).toBe('waits')
    gone.outgoing.destroy()
    expect((await third).status).toBe(200)
  })

  it('is read after one whose sender left while waiting', async () => {
    const first = beginUpload()
    expect(await beforeLong(first.status)).toBe('waits')
    const left = beginUpload()
    const last = read()
    expect(await beforeLong(last)).toBe('waits')
    left.outgoing.destroy()
    first.outgoing.end(FILE.slice(20))
    expect([await first.status, (await last).status]).toEqual([200, 200])
  })

  it('leaves free what must stay free of the disk of the service', async () => {
    const { bavail, bsize } = statfsSync(tmpdir())
    const env = { GATEHOUSE_UPLOAD_FREE_BYTES: String(bavail * bsize + 2 ** 40) }
    const full = await startTestService(database, { env })
    try {
      const { headers } = await signInAs(full, 'support')
      const { environment, aid } = await full.newApplication()
      const message = { method: 'POST', headers: { ...headers, ...TYPE }, body: FILE }
      const target = `/dashboard/api/${environment.name}/${aid}/access/import/read`
      const { status, text } = await send(full.url, target, message)
      expect([status, JSON.parse(text).error.code]).toEqual([503, 'storage_full'])
    } finally {
      await full.stop()
    }
  })
})
