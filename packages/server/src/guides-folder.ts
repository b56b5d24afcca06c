import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder with the guides: the build copies them beside the server, and in a clone they are in `docs`. */
export function guidesFolder(): string {
  const built = fileURLToPath(new URL('./guides', import.meta.url))
  return existsSync(built) ? built : fileURLToPath(new URL('../../../docs', import.meta.url))
}
