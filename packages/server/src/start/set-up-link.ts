import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the link for the first owner is while the output may be a log: in a file that only the service's user reads. */
export const setUpLinkPath = (folder: string) => join(folder, 'set-up-link')

/** Returns the path, or undefined if the file can't be written, for example on a full disk. */
export function storeSetUpLink(folder: string, link: string): string | undefined {
  const path = setUpLinkPath(folder)
  try {
    removeSetUpLink(folder)
    writeFileSync(path, `${link}\n`, { mode: 0o600, flag: 'wx' })
    return path
  } catch {
    return undefined
  }
}

/** Removes the link of an earlier start, which is void. */
export function removeSetUpLink(folder: string): void {
  rmSync(setUpLinkPath(folder), { force: true })
}
