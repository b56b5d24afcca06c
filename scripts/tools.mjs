// External programs that tests and benchmarks need.
import { execFileSync, spawnSync } from 'node:child_process'

// Not in the folder for temporary files, which some test configurations move.
const APT_LOCK = '/tmp/gatehouse-apt.lock'

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
  // apt-get fails while another one runs, so tests that run side by side wait for each other.
  const aptGet = (...args) => execFileSync('flock', [APT_LOCK, 'apt-get', ...args], options)
  try {
    aptGet('update')
    aptGet('install', '-y', '--no-install-recommends', ...wanted)
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
