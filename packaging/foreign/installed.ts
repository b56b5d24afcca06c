import { spawnSync } from 'node:child_process'
import { describe } from 'vitest'

/** Runs the tests of a server if its programs are on the PATH; otherwise says that it was left out. Nothing is installed. */
export function describeForeign(
  name: string,
  programs: readonly string[],
  tests: () => void,
): void {
  const missing = programs.filter((one) => spawnSync('which', [one]).status !== 0)
  if (missing.length === 0) describe(name, tests)
  else console.info(`left out: ${name} (not on the PATH: ${missing.join(', ')})`)
}
