// External programs that tests and benchmarks need.
import { execFileSync, spawnSync } from 'node:child_process'

const isThere = (program) => !spawnSync(program, ['--version']).error

/** Installs missing programs if that is possible; otherwise throws an error that names them. `packages` maps programs
 * to their Debian packages. */
export function requireTools(packages) {
  const missing = Object.keys(packages).filter((program) => !isThere(program))
  if (missing.length === 0) return
  const options = {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  const wanted = missing.map((program) => packages[program])
  try {
    execFileSync('apt-get', ['update'], options)
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...wanted], options)
  } catch (error) {
    throw new Error(`Not on the PATH: ${missing.join(', ')}. Install them.`, { cause: error })
  }
}

/** Whether the programs exist, or could be installed. */
export function hasTools(packages) {
  try {
    requireTools(packages)
    return true
  } catch {
    return false
  }
}
