import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../ids.ts'
import { isDiskError } from '../../new-file.ts'
import { formatBytes } from '../bytes.ts'
import { type Finding, failed, ok, warning } from './checks.ts'

const GIB = 1024 ** 3

/** Warns below 1 GiB and below 5 %: a large disk that is nearly full fills up as fast as a small one. */
export function assessDisk(folder: string, free: number, total: number): Finding {
  const text = `${formatBytes(free)} of ${formatBytes(total)} are free for ${folder}`
  return free < GIB || free < total * 0.05
    ? warning('disk', text, 'free some space: a full disk stops all writes')
    : ok('disk', text)
}

/** A trial write, as large as a few changes. Free space says too little: quotas and reserved blocks count too. */
const PROBE = Buffer.alloc(64 * 1024, 1)

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
  const { bavail, blocks, bsize } = await statfs(folder)
  return assessDisk(folder, bavail * bsize, blocks * bsize)
}
