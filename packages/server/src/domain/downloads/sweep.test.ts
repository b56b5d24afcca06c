import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newId } from '../../ids.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload, testActor, uploadBytes } from '../../testing/downloads/downloads.ts'
import { recordUpload, TOO_LATE } from '../../testing/downloads/uploads.ts'
import { startTestService } from '../../testing/service.ts'
import { DAY } from '../../testing/time.ts'
import { useApplication, useS3, useService } from '../../testing/use-service.ts'
import { removeDownload } from './downloads.ts'
import { StoreUnavailable } from './storage/storage.ts'
import { sweepDownloads } from './sweep.ts'

describe('the sweep of files in S3', () => {
  const s3 = useS3()
  const service = useService(databases[1], () => ({ env: s3.env }))
  const app = useApplication(service)

  it('lets nobody name a file that it is about to remove', async () => {
    await app.addResource('late')
    const env = app.environment
    let naming: Promise<unknown> | undefined
    const late = uploadBytes(app, randomBytes(10), async (file) => {
      service.clock.advance(DAY + 1)
      s3.fault = ({ action }) => {
        if (action !== 'DeleteObject') return undefined
        naming ??= env.database.write((trx) => file.attach(trx)).catch((error) => error)
        return undefined
      }
      await sweepDownloads(env)
      return await naming
    })
    expect(await late).toMatchObject({ message: TOO_LATE })
  })

  it('is made up for when the server is back, and keeps other work from nothing', async () => {
    const env = app.environment
    await app.addResource('gone')
    await addDownload(app, 'gone', randomBytes(10))
    await env.database.write((trx) =>
      removeDownload(trx, { aid: app.aid, rid: 'gone' }, testActor(env)),
    )
    service.clock.advance(DAY + 1)
    await s3.refuse()
    await expect(sweepDownloads(env)).rejects.toThrow(StoreUnavailable)
    expect(await s3.objects()).toHaveLength(1)
    await s3.accept()
    expect(await sweepDownloads(env)).toBe(1)
    expect(await s3.objects()).toEqual([])
  })

  /** Leaves this many files that no record references. */
  async function dropFiles(name: string, count: number): Promise<void> {
    const env = app.environment
    for (let n = 0; n < count; n++) {
      const rid = `${name}-${n}`
      await app.addResource(rid)
      await addDownload(app, rid, randomBytes(10))
      await env.database.write((trx) => removeDownload(trx, { aid: app.aid, rid }, testActor(env)))
    }
    service.clock.advance(DAY + 1)
  }

  it("removes the files of a server that can't list unfinished uploads", async () => {
    await dropFiles('unlisted', 1)
    s3.fault = ({ action }) =>
      action === 'ListMultipartUploads' ? { status: 501, code: 'NotImplemented' } : undefined
    expect(await sweepDownloads(app.environment)).toBe(1)
    expect(await s3.objects()).toEqual([])
  })

  it('removes a file also where the rest of its upload is refused, and looks again later', async () => {
    await dropFiles('refused', 2)
    const refused = { status: 403, code: 'AccessDenied' }
    s3.fault = ({ action }) => (action === 'ListMultipartUploads' ? refused : undefined)
    await expect(sweepDownloads(app.environment)).rejects.toThrow('s3:ListBucketMultipartUploads')
    expect(await s3.objects()).toEqual([])
    s3.fault = () => undefined
    expect(await sweepDownloads(app.environment)).toBe(2)
  })

  it('goes on after a file that the server refuses to remove', async () => {
    await dropFiles('several', 3)
    const [kept] = await s3.objects()
    s3.fault = ({ action, key }) =>
      action === 'DeleteObject' && key === kept ? { status: 403, code: 'AccessDenied' } : undefined
    await expect(sweepDownloads(app.environment)).rejects.toThrow('s3:DeleteObject')
    expect(await s3.objects()).toEqual([kept])
    s3.fault = () => undefined
    expect(await sweepDownloads(app.environment)).toBe(1)
  })
})

describe('the sweep', () => {
  it("goes on after a file that it can't reach, and tells of it", async () => {
    const service = await startTestService(databases[0])
    const app = await service.newApplication()
    const env = app.environment
    const id = newId()
    await recordUpload(app, { id, store: 's3', created: env.realTime() })
    await uploadBytes(app, randomBytes(10), async () => {})
    service.clock.advance(DAY + 1)
    await expect(sweepDownloads(env)).rejects.toThrow('GATEHOUSE_S3_BUCKET')
    const left = await env.database.read.selectFrom('files').select('id').execute()
    expect(left).toEqual([{ id }])
    await service.stop()
  })
})
