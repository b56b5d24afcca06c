import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { inPieces } from '../../testing/s3/store-fixtures.ts'
import { startTestService } from '../../testing/service.ts'

/** Mounts a small disk on the folder. Returns false if this user may not mount. */
function mountSmallDisk(folder: string): boolean {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'pipe' })
    return true
  } catch (error) {
    console.warn(`not tried on a real disk: ${(error as Error).message}`)
    return false
  }
}

describe('a disk that is full', () => {
  it('takes in what fits, refuses what does not in plain words, and keeps nothing of it', async () => {
    const service = await startTestService(databases[0])
    const folder = join(service.installation.env.GATEHOUSE_DATA as string, 'files')
    const hasDisk = mountSmallDisk(folder)
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
      if (hasDisk) execFileSync('umount', [folder])
      await service.stop()
    }
  })
})
