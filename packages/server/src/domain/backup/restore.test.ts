import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { restoreFile } from '../../testing/backups/restore-file.ts'
import { databasesOf, dump, env, useBackup, withTarget } from '../../testing/backups/use-backup.ts'
import { databases } from '../../testing/databases.ts'
import type { TestApplication } from '../../testing/service.ts'
import { useService } from '../../testing/use-service.ts'
import { removeHold } from '../installation/hold.ts'
import { writeBackup } from './backup.ts'
import type { Databases } from './databases.ts'

describe.each(databases)('a backup of $name', (database) => {
  const { apps, path, newPath } = useBackup(database)

  describe('is not restored', () => {
    const target = useService(database, { env })

    const refused = async (bytes: Uint8Array, reason: RegExp) => {
      const bad = newPath()
      writeFileSync(bad, bytes)
      const before = await dump(target.ctx)
      await expect(restoreFile(databasesOf(target.ctx), bad)).rejects.toThrow(reason)
      expect(await dump(target.ctx)).toEqual(before)
    }

    const lines = () => gunzipSync(readFileSync(path)).toString().split('\n').slice(0, -1)
    const packed = (all: string[]) => gzipSync(all.map((line) => `${line}\n`).join(''))

    /** Packs lines with a matching checksum. */
    function signed(all: string[]): Buffer {
      const body = all.slice(0, -1)
      const footer = JSON.parse(all.at(-1) as string)
      const sha256 = createHash('sha256')
        .update(body.map((line) => `${line}\n`).join(''))
        .digest('hex')
      return packed([...body, JSON.stringify({ ...footer, sha256 })])
    }

    it.each([0.01, 0.3, 0.7, 0.999])('if it is cut short at %d of its length', async (part) => {
      const bytes = readFileSync(path)
      await refused(bytes.subarray(0, Math.floor(bytes.length * part)), /is damaged or incomplete/)
    })

    it('if a line is missing, altered or added', async () => {
      const all = lines()
      const row = all.findIndex((line) => line.includes('"zoë@example.com"'))
      await refused(packed(all.toSpliced(row, 1)), /checksum/)
      const altered = (all[row] as string).replace('zoë@', 'eve@')
      await refused(packed(all.toSpliced(row, 1, altered)), /checksum/)
      await refused(packed([...all, '[]']), /after its end/)
      await refused(packed(all.slice(0, -1)), /end is missing/)
    })

    it('if it has fewer rows than it tells, though its checksum fits', async () => {
      const all = lines()
      const row = all.findIndex((line) => line.includes('"zoë@example.com"'))
      await refused(signed(all.toSpliced(row, 1)), /rows are missing/)
    })

    it('if a byte of it was changed', async () => {
      const bytes = readFileSync(path)
      const at = Math.floor(bytes.length / 2)
      bytes[at] = (bytes[at] as number) ^ 1
      await refused(bytes, /is damaged or incomplete/)
    })

    it('if it is another file', async () => {
      await refused(Buffer.from('hello'), /is damaged or incomplete/)
      await refused(packed(['{"a":1}']), /not a Gatehouse backup/)
      const missing = restoreFile(databasesOf(target.ctx), newPath())
      await expect(missing).rejects.toThrow(/can't be read/)
    })

    it('if a newer version, or another format, made it', async () => {
      const [first, ...rest] = lines() as [string, ...string[]]
      const header = JSON.parse(first)
      const withHeader = (change: object) =>
        signed([JSON.stringify({ ...header, ...change }), ...rest])
      const { migrations } = header
      const newer = { ...migrations, sandbox: [...migrations.sandbox, '9999_future'] }
      await refused(withHeader({ migrations: newer }), /newer Gatehouse \(it has 9999_future\)/)
      await refused(
        withHeader({ migrations: { ...migrations, control: [] } }),
        /lacks the migration/,
      )
      await refused(withHeader({ version: 2 }), /format 2/)
    })

    it('onto an installation that has an application', async () => {
      await target.newApplication('sandbox')
      await refused(readFileSync(path), /sandbox already has applications/)
    })
  })

  it('that is restored in two goes, the first of which was stopped, is whole', async () => {
    await withTarget(database, async (target) => {
      const whole = databasesOf(target.ctx)
      const stopped: Databases = {
        ...whole,
        sandbox: {
          ...whole.sandbox,
          write: async () => {
            throw new Error('stopped')
          },
        },
      }
      await expect(restoreFile(stopped, path)).rejects.toThrow('stopped')
      await restoreFile(whole, path)
      const [app] = apps as [TestApplication]
      const found = await app.clientAt(target.url).getAccess({ rid: 'news', user_ref: 'a' })
      expect(found.aid).toBe(app.aid)
      expect(JSON.stringify(await dump(target.ctx))).not.toContain('restored_from')
      await expect(restoreFile(whole, path)).rejects.toThrow(/completely restored here before/)
      await target.ctx.control.write(removeHold)
      await expect(restoreFile(whole, path)).rejects.toThrow(/already has applications/)
      await target.requireInvariants()
    })
  })

  it('that was stopped while it took its marks away is finished by a second go', async () => {
    await withTarget(database, async (target) => {
      const whole = databasesOf(target.ctx)
      let writes = 0
      const stopped: Databases = {
        ...whole,
        sandbox: {
          ...whole.sandbox,
          write: async (work) => {
            if (++writes > 1) throw new Error('stopped')
            return await whole.sandbox.write(work)
          },
        },
      }
      await expect(restoreFile(stopped, path)).rejects.toThrow('stopped')
      // An installation in this state can be used and backed up like any other.
      const between = newPath()
      await writeBackup(whole, between)
      expect(gunzipSync(readFileSync(between)).toString()).not.toContain('restored_from')
      await restoreFile(whole, path)
      expect(await dump(target.ctx)).toEqual(await dumpOf(path))
      await withTarget(database, async (other) => {
        await restoreFile(databasesOf(other.ctx), between)
        expect(await dump(other.ctx)).toEqual(await dump(target.ctx))
      })
      await target.requireInvariants()
    })
  })

  /** Returns what a backup contains, by restoring it onto another installation without interruption. */
  async function dumpOf(file: string): Promise<Record<string, string[]>> {
    let rows: Record<string, string[]> = {}
    await withTarget(database, async (target) => {
      await restoreFile(databasesOf(target.ctx), file)
      rows = await dump(target.ctx)
    })
    return rows
  }

  it('that has a mark of an earlier restore in it is restored all the same', async () => {
    const marked = newPath()
    const row = JSON.stringify(['restored_from', 'x'])
    const all = gunzipSync(readFileSync(path)).toString().split('\n').slice(0, -1)
    const at = all.findIndex((line) => line.includes('"database":"production","table":"meta"'))
    const body = all.slice(0, -1).toSpliced(at + 1, 0, row)
    const footer = JSON.parse(all.at(-1) as string)
    footer.rows['production.meta']++
    const text = body.map((line) => `${line}\n`).join('')
    const sha256 = createHash('sha256').update(text).digest('hex')
    writeFileSync(marked, gzipSync(`${text}${JSON.stringify({ ...footer, sha256 })}\n`))
    await withTarget(database, async (target) => {
      await restoreFile(databasesOf(target.ctx), marked)
      expect(await dump(target.ctx)).toEqual(await dumpOf(path))
    })
  })
})
