import type { DownloadUrlQuery } from '@gatehouse/sdk'
import { describe, expect, it } from 'vitest'
import { listDeliveries } from '../../domain/downloads/deliveries.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { errorCode, fetchBytes, openFetch } from '../../testing/http/fetching.ts'
import { startTestService } from '../../testing/service.ts'

const BYTES = Buffer.from('some bytes')
const [SQLITE] = databases

describe('files that are being delivered', () => {
  it('are so many at a time, and keep nobody from being let in', async () => {
    const env = { GATEHOUSE_LIMIT_DOWNLOADS: '2', GATEHOUSE_LIMIT_IN_FLIGHT: '1' }
    const service = await startTestService(SQLITE, { env })
    const app = await service.newApplication()
    await app.addResource('film')
    await addDownload(app, 'film', Buffer.alloc(48 * 1024 * 1024, 7))
    await app.client.grantAccess({ rid: 'film', email: 'a@example.com', user_ref: 'a' })
    const { url } = await app.client.getDownloadUrl({ rid: 'film', lifetime: 60 })
    const open = await Promise.all([openFetch(url), openFetch(url)])
    const third = await fetchBytes(url)
    expect([third.status, errorCode(third), third.headers['retry-after']]).toEqual([
      503,
      'overloaded',
      '1',
    ])
    expect(await app.client.hasAccess({ rid: 'film', user_ref: 'a' })).toBe(true)
    for (const answer of open) answer.destroy()
    await expect.poll(async () => (await fetchBytes(url, {}, 'HEAD')).status).toBe(200)
    await service.stop()
  })

  it('are handed to nginx where it reads the same disk, but for links that we must watch', async () => {
    const env = { GATEHOUSE_DOWNLOAD_ACCEL: '/files-of-gatehouse' }
    const service = await startTestService(SQLITE, { env })
    const app = await service.newApplication()
    await app.addResource('film')
    const { sha256 } = await addDownload(app, 'film', BYTES, { fileName: 'Müller.pdf' })
    await app.client.grantAccess({ rid: 'film', email: 'a@example.com', user_ref: 'a' })
    const link = async (input: Partial<DownloadUrlQuery>) =>
      (await app.client.getDownloadUrl({ rid: 'film', lifetime: 60, ...input })).url
    const handed = await fetchBytes(await link({}), { range: 'bytes=1-2' })
    expect(handed.status).toBe(200)
    expect(handed.body.length).toBe(0)
    expect(handed.headers['x-accel-redirect']).toBe(`/files-of-gatehouse/production/${sha256}`)
    const digest = Buffer.from(sha256, 'hex').toString('base64')
    expect(handed.headers['repr-digest']).toBe(`sha-256=:${digest}:`)
    expect(handed.headers['content-disposition']).toContain("filename*=UTF-8''M%C3%BCller.pdf")
    for (const input of [{ user_ref: 'a' }, { limit: 1 }]) {
      const own = await fetchBytes(await link(input))
      expect(own.headers['x-accel-redirect']).toBeUndefined()
      expect(own.body.equals(BYTES)).toBe(true)
    }
    const { read } = app.environment.database
    const outcomes = async () =>
      (await listDeliveries(read, { aid: app.aid })).map(({ outcome }) => outcome).sort()
    await expect.poll(outcomes).toEqual(['complete', 'complete', 'redirected'])
    await service.stop()
  })
})
