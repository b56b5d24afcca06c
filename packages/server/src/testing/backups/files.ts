import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Lists all files in a folder with their checksums. */
export function describeFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => {
      const digest = createHash('sha256').update(readFileSync(path)).digest('hex')
      return `${relative(folder, path)} ${digest}`
    })
    .sort()
}
