import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDiskSpace } from '../domain/installation/disk.ts'
import { isDiskError } from '../new-file.ts'

/** SQLite creates files when it opens a database, which fails on a full disk. This file is deleted then, so that a service
 * that is restarted can go on checking access. */
const reservePath = (folder: string) => join(folder, 'reserve')

/** Enough for what SQLite creates for all databases. */
const RESERVE = Buffer.alloc(512 * 1024, 1)

/** Opens a database; on a full disk, tries again with the space of the reserve. */
export async function openWithReserve<R>(folder: string, open: () => Promise<R>): Promise<R> {
  try {
    return await open()
  } catch (error) {
    const path = reservePath(folder)
    if (!existsSync(path)) throw error
    const { free } = await readDiskSpace(folder)
    if (free > RESERVE.length) throw error
    rmSync(path, { force: true })
    return await open()
  }
}

/** Keeps space for a start on a full disk. */
export function keepReserve(folder: string): void {
  const path = reservePath(folder)
  if (existsSync(path)) return
  try {
    writeFileSync(path, RESERVE, { mode: 0o600 })
  } catch (error) {
    if (!isDiskError(error)) throw error
    rmSync(path, { force: true })
  }
}
