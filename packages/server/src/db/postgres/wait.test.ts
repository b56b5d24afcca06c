import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../../testing/postgres/database-proxy.ts'
import { useFreshInstallation } from '../../testing/use-service.ts'
import { waitForPostgres } from './wait.ts'

/** Nobody listens at this port. */
const NOWHERE = 'postgres://127.0.0.1:1/none'
const LONG_MS = 60_000

/** An error as PostgreSQL sends it. */
function errorMessage(code: string, text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

describe('a start before its PostgreSQL', () => {
  const installation = useFreshInstallation(databases[1])
  let proxy: DatabaseProxy
  let reasons: string[]
  beforeEach(async () => {
    proxy = await startDatabaseProxy(installation.env.GATEHOUSE_DATABASE_URL as string)
    reasons = []
  })
  afterEach(() => proxy.close())

  const wait = (
    url: string,
    limitMs: number,
    onWait = () => {},
    stopped = new AbortController().signal,
  ) =>
    waitForPostgres(url, {
      limitMs,
      stopped,
      onWait(reason) {
        reasons.push(reason)
        onWait()
      },
    })

  it('waits until the server answers, and says so once', async () => {
    proxy.leadTo(NOWHERE)
    await wait(proxy.url, LONG_MS, () =>
      proxy.leadTo(installation.env.GATEHOUSE_DATABASE_URL as string),
    )
    expect(reasons).toHaveLength(1)
    expect(proxy.messages).toBeGreaterThan(0)
  })

  it('does not wait for a server that is there', async () => {
    await wait(proxy.url, LONG_MS)
    expect(reasons).toEqual([])
  })

  it('gives up after the limit, and with a limit of 0 at once', async () => {
    await wait(NOWHERE, 0)
    expect(reasons).toEqual([])
    await wait(NOWHERE, 1_200)
    expect(reasons).toEqual([expect.stringContaining('ECONNREFUSED')])
  })

  it('does not wait for what waiting cannot help: a wrong name, or a pooler that refuses us', async () => {
    const wrong = new URL(proxy.url)
    wrong.pathname = '/no_such_database'
    await wait(wrong.href, LONG_MS)
    const pooler = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(errorMessage('08P01', 'unsupported startup parameter')))
    }).listen(0, '127.0.0.1')
    await once(pooler, 'listening')
    const { port } = pooler.address() as AddressInfo
    await wait(`postgres://gate@127.0.0.1:${port}/gate`, LONG_MS)
    pooler.close()
    expect(reasons).toEqual([])
  })

  it('ends when the service is stopped', async () => {
    const abort = new AbortController()
    await wait(NOWHERE, LONG_MS, () => abort.abort(), abort.signal)
    expect(reasons).toHaveLength(1)
  })
})
