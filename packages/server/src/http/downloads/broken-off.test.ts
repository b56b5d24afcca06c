import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { listDeliveries } from '../../domain/downloads/deliveries.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { errorCode, fetchBytes, openFetch } from '../../testing/http/fetching.ts'
import { startTestService, type TestApplication, type TestService } from '../../testing/service.ts'
import { useS3, useService } from '../../testing/use-service.ts'

const [SQLITE] = databases
const LARGE = Buffer.alloc(32 * 1024 * 1024, 7)
const SLOTS = 3

/** Sends requests on one connection without waiting for responses. */
async function pipeline(url: string, targets: readonly string[]): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
  return socket
}

describe('what is broken off', () => {
  let service: TestService
  let app: TestApplication
  let url: string

  beforeAll(async () => {
    const env = { GATEHOUSE_LIMIT_DOWNLOADS: String(SLOTS), GATEHOUSE_LIMIT_IN_FLIGHT: '3' }
    service = await startTestService(SQLITE, { env })
    app = await service.newApplication()
    await app.addResource('film')
    await addDownload(app, 'film', LARGE)
    url = (await app.client.getDownloadUrl({ rid: 'film', lifetime: 36_000 })).url
    await app.client.grantAccess({ rid: 'film', email: 'a@example.com', user_ref: 'a' })
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
  afterAll(async () => {
    await service.requireInvariants()
    await service.stop()
  })

  /** Number of files in the store that this process has open. */
  const openFiles = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).includes(
          `${service.ctx.config.dataFolder}/files/`,
        )
      } catch {
        return false
      }
    }).length

  const path = () => new URL(url).pathname

  it('is let go of, also what still waited behind another on the same connection', async () => {
    for (let round = 0; round < 3; round++) {
      const socket = await pipeline(service.url, [path(), path(), path()])
      await once(socket, 'data')
      // The queued requests hold a slot, but no open file yet.
      expect(openFiles()).toBe(1)
      const refused = await fetchBytes(url)
      expect([refused.status, errorCode(refused)]).toEqual([503, 'overloaded'])
      socket.destroy()
      await expect.poll(openFiles).toBe(0)
      await expect.poll(async () => (await fetchBytes(url, {}, 'HEAD')).status).toBe(200)
    }
  })

  it('is soon all that a connection had asked for, if it asks and asks and never reads', async () => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.pause()
    const closed = once(socket, 'close')
    const many = `GET ${path()} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(100)
    socket.write(many)
    // A socket that is not read does not notice that its connection has ended, so it is resumed later.
    socket.on('end', () => {})
    setTimeout(() => socket.resume(), 500).unref()
    await closed
    await expect.poll(async () => (await fetchBytes(url, {}, 'HEAD')).status).toBe(200)
  })

  it('keeps no place among the requests in flight', async () => {
    for (let round = 0; round < 3; round++) {
      const socket = await pipeline(service.url, [path(), '/r2/user/x', '/r2/user/x'])
      await once(socket, 'data')
      socket.destroy()
    }
    const ask = () => app.client.hasAccess({ rid: 'film', user_ref: 'a' }).catch(() => false)
    await expect.poll(ask).toBe(true)
  })

  it('keeps no slot if the reader left before anything was looked up', async () => {
    const { production } = service.ctx.environments
    vi.spyOn(production, 'refreshClock').mockImplementation(
      () => new Promise((resolve) => setTimeout(resolve, 50)),
    )
    for (let i = 0; i < SLOTS; i++) {
      const socket = await pipeline(service.url, [path()])
      socket.destroy()
    }
    vi.restoreAllMocks()
    await expect.poll(async () => (await fetchBytes(url, {}, 'HEAD')).status).toBe(200)
  })

  it('is not begun if access was revoked while the file was being opened', async () => {
    await app.client.grantAccess({ rid: 'film', email: 'b@example.com', user_ref: 'b' })
    const bound = await app.client.getDownloadUrl({ rid: 'film', lifetime: 60, user_ref: 'b' })
    const store = app.environment.stores.current
    const { open } = store
    vi.spyOn(store, 'open').mockImplementation(async (...args) => {
      await app.client.revokeAccess({ rid: 'film', user_ref: 'b' })
      return await open(...args)
    })
    const answer = await fetchBytes(bound.url)
    expect([answer.status, errorCode(answer)]).toEqual([403, 'access_ended'])
    expect(openFiles()).toBe(0)
  })

  it('counts no use for a reader who has gone already', async () => {
    const { url: counted } = await app.client.getDownloadUrl({
      rid: 'film',
      lifetime: 60,
      limit: 1,
    })
    const store = app.environment.stores.current
    const { open } = store
    let opened = false
    let socket: Socket | undefined
    vi.spyOn(store, 'open').mockImplementation(async (...args) => {
      const file = await open(...args)
      socket?.destroy()
      // Long enough for the service to notice the closed connection.
      await new Promise((resolve) => setTimeout(resolve, 50))
      opened = true
      return file
    })
    socket = await pipeline(service.url, [new URL(counted).pathname])
    await expect.poll(() => opened).toBe(true)
    await expect.poll(openFiles).toBe(0)
    const link = new URL(counted).pathname.split('.')[3] as string
    const { read } = app.environment.database
    expect(
      await read.selectFrom('download_uses').where('link', '=', link).selectAll().execute(),
    ).toEqual([])
  })

  it('is what a reader gets who takes nothing for two minutes', async () => {
    const arrived = once(service.app.server, 'connection')
    const reader = await pipeline(service.url, [path()])
    reader.pause()
    const [socket] = (await arrived) as [Socket]
    let before = 0
    const isStuck = () => {
      const [last, now] = [before, socket.writableLength]
      before = now
      return now > 0 && now === last
    }
    await expect.poll(isStuck, { interval: 30 }).toBe(true)
    expect([socket.timeout, socket.destroyed, openFiles()]).toEqual([120_000, false, 1])
    // Two minutes are too long for a test.
    socket.setTimeout(200)
    await expect.poll(() => socket.destroyed).toBe(true)
    await expect.poll(openFiles).toBe(0)
    reader.destroy()
  })

  it('and asked for in a thousand pieces is one row', async () => {
    const { url: link } = await app.client.getDownloadUrl({ rid: 'film', lifetime: 60 })
    const id = new URL(link).pathname.split('.')[3]
    for (let i = 0; i < 50; i++) await fetchBytes(link, { range: `bytes=${i}-${i}` })
    const { read } = app.environment.database
    const rows = async () =>
      (await listDeliveries(read, { aid: app.aid })).filter((row) => row.link === id)
    const answers = async () => (await rows()).reduce((sum, row) => sum + row.answers, 0)
    await expect.poll(answers).toBe(50)
    const found = await rows()
    expect(found.length).toBeLessThan(10)
    expect(found.reduce((sum, row) => sum + row.bytes, 0)).toBe(50)
  })
})

describe('a reader of a file in S3 who hangs up', () => {
  const s3 = useS3()
  const service = useService(SQLITE, () => ({ env: s3.env }))

  it('is waited for no longer, also while S3 is silent', async () => {
    const app = await service.newApplication()
    await app.addResource('film')
    await addDownload(app, 'film', LARGE)
    const { url } = await app.client.getDownloadUrl({ rid: 'film', lifetime: 60 })
    s3.fault = ({ action }) => (action === 'GetObject' ? { stallAt: 100_000 } : undefined)
    const answer = await openFetch(url)
    answer.on('error', () => {})
    await once(answer, 'data')
    answer.destroy()
    await expect.poll(() => s3.busy).toBe(0)
    s3.fault = () => undefined
  })
})
