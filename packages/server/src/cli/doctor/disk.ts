import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type DiskSpace,
  isLow,
  NEEDED_BYTES,
  readDiskSpace,
} from '../../domain/installation/disk.ts'
import { newId } from '../../ids.ts'
import { isDiskError } from '../../new-file.ts'
import { formatBytes } from '../bytes.ts'
import { type Finding, failed, ok, warning } from './checks.ts'

export function assessDisk(folder: string, space: DiskSpace): Finding {
  const text = `${formatBytes(space.free)} of ${formatBytes(space.total)} are free for ${folder}`
  return isLow(space)
    ? warning('disk', text, 'free some space: a full disk stops all writes')
    : ok('disk', text)
}

/** A trial write. Free space says too little: quotas and reserved blocks count too. */
const PROBE = Buffer.alloc(NEEDED_BYTES, 1)

/** Returns why nothing can be written; undefined if something can. */
async function findWriteProblem(folder: string): Promise<string | undefined> {
  const path = join(folder, `doctor-${newId()}`)
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      // Removed before it is written, so that nothing is left of it even if this process is killed.
      await rm(path)
      await file.writeFile(PROBE)
      await file.sync()
    } finally {
      await file.close()
    }
    return undefined
  } catch (error) {
    if (isDiskError(error)) return error.message
    throw error
  }
}

const ADVICE =
  'free space on this disk, but delete nothing in this folder (docs/run/troubleshooting.md says what may go); the ' +
  'service goes on by itself then'

export async function checkDisk(folder: string): Promise<Finding> {
  const problem = await findWriteProblem(folder)
  if (problem !== undefined)
    return failed('disk', `nothing can be written to ${folder}: ${problem}`, ADVICE)
  return assessDisk(folder, await readDiskSpace(folder))
}
