// Installs and builds what is missing or stale, so that a fresh clone needs one command.
// Plain Node: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = ['packages/sdk', 'packages/server'].map((path) => join(root, path))
const stamp = join(root, 'packages/server/dist/.built')

/** @returns {never} */
function stop(message) {
  console.error(`gatehouse: ${message}`)
  process.exit(1)
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  stop(`Node.js 20.19 or newer is needed; this is ${process.versions.node}`)
}

function run(step, command, args) {
  console.error(`gatehouse: ${step} …`)
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
  })
  if (status === 0) return
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`)
  stop(`${step} failed${error ? ` (${error.message})` : ''}`)
}

const changed = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

function newest(folder) {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return Math.max(...entries.map((entry) => changed(join(entry.parentPath, entry.name))))
}

function isInstalled() {
  const record = join(root, 'node_modules/.package-lock.json')
  return changed(record) >= changed(join(root, 'package-lock.json'))
}

/** The sources' newest change, and the Node that their packages were installed for. */
function buildKey() {
  const inputs = packages.flatMap((path) => [
    newest(join(path, 'src')),
    changed(join(path, 'tsconfig.json')),
  ])
  return String(Math.max(...inputs, changed(join(root, 'package-lock.json'))))
}

export function prepare({ force = false } = {}) {
  requireNode()
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  if (!isInstalled()) run('installing', npm, ['ci', '--include=dev', '--no-audit', '--no-fund'])
  const key = buildKey()
  if (!force && existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return
  if (force)
    for (const path of packages) rmSync(join(path, 'dist'), { recursive: true, force: true })
  // Types are for `npm run check`: leaving them out here makes a first start three times as fast.
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  run('building', process.execPath, [tsc, '-b', 'packages/server', '--noCheck'])
  writeFileSync(stamp, key)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  prepare({ force: process.argv.includes('--force') })
}
