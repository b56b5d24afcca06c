import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Mounts a small disk on the folder. Returns false if this user may not mount. */
export function mountSmallDisk(folder: string, size: string): boolean {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'pipe' })
    return true
  } catch (error) {
    console.warn(`not tried on a real disk: ${(error as Error).message}`)
    return false
  }
}

/** Unmounts lazily: connections of this process are closed only when they are garbage-collected. */
export function removeSmallDisk(folder: string): void {
  execFileSync('umount', ['--lazy', folder])
  rmSync(folder, { recursive: true })
}

/** Fills a disk to the last byte; returns a function that frees the space. */
export function fillDisk(folder: string): () => void {
  const ballast = join(folder, 'ballast')
  for (const size of [65_536, 1]) {
    try {
      while (true) appendFileSync(ballast, Buffer.alloc(size))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  return () => rmSync(ballast)
}
