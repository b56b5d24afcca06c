import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { mountSmallDisk, removeSmallDisk } from '../../testing/faults/small-disk.ts'
import { inPieces } from '../../testing/s3/store-fixtures.ts'
import { startTestService } from '../../testing/service.ts'

describe('a disk that is full', () => {
  it('takes in what fits, refuses what does not in plain words, and keeps nothing of it', async () => {
    const service = await startTestService(databases[0])
    const folder = join(service.installation.env.GATEHOUSE_DATA as string, 'files')
    const hasDisk = mountSmallDisk(folder, '2m')
    try {
      if (!hasDisk) return
      const app = await service.newApplication()
      for (const rid of ['small', 'large', 'later']) await app.addResource(rid)
      await addDownload(app, 'small', randomBytes(1_000_000))
      const tooLarge = addDownload(app, 'large', inPieces(randomBytes(1_500_000), 100_000))
      await expect(tooLarge).rejects.toMatchObject({ code: 'storage_full' })
      expect(readdirSync(join(folder, 'production', 'uploads'))).toEqual([])
      await addDownload(app, 'later', randomBytes(500_000))
      await service.requireInvariants()
    } finally {
      if (hasDisk) removeSmallDisk(folder)
      await service.stop()
    }
  })
})
