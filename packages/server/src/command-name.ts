import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The end of the program's path in any installation. */
const INSTALLED = 'node_modules/@gatehouse/server/bin/gatehouse.mjs'

interface Surroundings {
  /** The real path of the program. */
  program: string
  /** The folders in which the shell looks for commands. */
  path: string
  /** The folder in which the service was started. */
  folder: string
}

const here = (): Surroundings => ({
  program: fileURLToPath(new URL('../bin/gatehouse.mjs', import.meta.url)),
  path: process.env.PATH ?? '',
  folder: process.cwd(),
})

/** Whether a file is a link to the program, or the wrapper in `deploy`, which never runs a clone. Other packages have a
 * command of this name too. */
function runsProgram(file: string, program: string): boolean {
  try {
    if (realpathSync(file) === program) return true
    return program.endsWith(INSTALLED) && readFileSync(file, 'utf8').includes(INSTALLED)
  } catch {
    return false
  }
}

/** Returns what to type to run a command of this installation, from the folder in which the service was started. */
export function commandName({ program, path, folder }: Surroundings = here()): string {
  const places = path.split(delimiter).filter((place) => place !== '')
  // npm adds the folders of the project's own commands to the path of what it runs.
  const commands = places.filter((place) => !place.endsWith(join('node_modules', '.bin')))
  if (commands.some((place) => runsProgram(join(place, 'gatehouse'), program))) return 'gatehouse'
  if (!program.endsWith(INSTALLED)) return 'npx gatehouse'
  const modules = program.slice(0, -INSTALLED.length)
  const linked = join(modules, 'node_modules', '.bin', 'gatehouse')
  if (!existsSync(linked)) return `node ${program}`
  const shown = relative(folder, linked)
  return shown.startsWith('..') ? linked : shown
}
