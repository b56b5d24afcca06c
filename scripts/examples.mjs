// Installs what the examples and the tests of other runtimes need.
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { requireTools } from './tools.mjs'

const folder = fileURLToPath(new URL('../examples/', import.meta.url))
const changed = (path) => statSync(folder + path, { throwIfNoEntry: false })?.mtimeMs ?? 0

export const requireLanguages = () => requireTools({ python3: 'python3', php: 'php-cli' })

/** Installs the packages that are not in the workspace, because they are large and Gatehouse itself needs none of them. */
export function installExamples() {
  const installed = changed('node_modules/.package-lock.json')
  if (installed > 0 && installed >= changed('package-lock.json')) return
  console.error('gatehouse: installing the packages of the examples …')
  // None of them needs its install script.
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
}
