// Programs of other people that a trial needs.
import { execFileSync, spawnSync } from 'node:child_process'

const isThere = (program) => !spawnSync(program, ['--version']).error

/** Where this machine may install programs, it gets those that are missing; else it is told which.
 * Packages of Debian by the names of their programs. */
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

/** Whether they are there, or could be installed. */
export function hasTools(packages) {
  try {
    requireTools(packages)
    return true
  } catch {
    return false
  }
}
