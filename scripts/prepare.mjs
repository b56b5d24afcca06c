// Installs and builds what is missing or stale, so that a fresh clone needs one command.
// Uses plain Node only: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = ['packages/sdk', 'packages/server'].map((path) => join(root, path))
const stamp = join(root, 'packages/server/dist/.built')
const app = join(root, 'packages/dashboard')
const appStamp = join(app, 'dist/.built')

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

const isWindows = process.platform === 'win32'

function run(step, command, args, options = {}) {
  console.error(`gatehouse: ${step} …`)
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    ...options,
  })
  if (status === 0) return
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`)
  stop(`${step} failed${error ? ` (${error.message})` : ''}`)
}

const changed = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Tests are not part of the build. */
const isBuilt = (path) => !/[\\/]testing([\\/]|$)|\.test\.ts$/.test(path)

function newest(folder) {
  const paths = readdirSync(folder, { withFileTypes: true, recursive: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isBuilt)
  return Math.max(changed(folder), ...paths.map(changed))
}

function isInstalled() {
  const record = changed(join(root, 'node_modules/.package-lock.json'))
  return record > 0 && record >= changed(join(root, 'package-lock.json'))
}

/** The time of the newest change to the web app's inputs. `shared` lists what it has in common with the server. */
function appKey() {
  const shared = [
    'domain/apps/currency.ts',
    'domain/downloads/limits.ts',
    'domain/resources/limits.ts',
    'http/dashboard/api.ts',
    'http/dashboard/route.ts',
  ]
  const files = [
    join(root, 'package-lock.json'),
    ...['index.html', 'vite.config.ts'].map((name) => join(app, name)),
    ...shared.map((name) => join(root, 'packages/server/src', name)),
  ]
  return String(
    Math.max(newest(join(app, 'src')), newest(join(app, 'public')), ...files.map(changed)),
  )
}

/** The time of the newest change to anything that goes into the build. */
function buildKey() {
  const settings = [
    'package-lock.json',
    'tsconfig.base.json',
    'packages/sdk/tsconfig.json',
    'packages/server/rolldown.config.mjs',
  ].map((name) => join(root, name))
  const sources = packages.map((path) => newest(join(path, 'src')))
  return String(Math.max(...sources, ...settings.map(changed), Number(appKey())))
}

function isFresh() {
  if (!isInstalled() || !existsSync(join(root, 'packages/sdk/dist/index.js'))) return false
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === buildKey()
}

const pause = (milliseconds) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

/** Whether the lock's process was killed, or the lock is so old that its pid may belong to another process. */
function isAbandoned(lock) {
  const age = Date.now() - changed(lock)
  if (age > 15 * 60_000) return true
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0)
    return false
  } catch (error) {
    // The pid is written right after the folder is created.
    return error.code === 'ESRCH' || (error.code === 'ENOENT' && age > 2_000)
  }
}

function tryLock(lock) {
  try {
    mkdirSync(lock)
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
  writeFileSync(join(lock, 'pid'), String(process.pid))
  return true
}

/** Runs one process at a time: two that install or build concurrently would overwrite each other's files. */
function alone(work) {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const lock = join(root, '.cache/prepare.lock')
  for (let tries = 0; !tryLock(lock); tries++) {
    if (tries === 0) console.error('gatehouse: waiting for another start to finish its build …')
    if (isAbandoned(lock)) rmSync(lock, { recursive: true, force: true })
    else pause(100)
  }
  // Unlock also when stop() ends the process.
  const unlock = () => rmSync(lock, { recursive: true, force: true })
  process.once('exit', unlock)
  work()
  process.off('exit', unlock)
  unlock()
}

function install() {
  // npm would delete packages from the folder to which the link leads.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    stop('node_modules is a link to a folder with other packages; remove the link')
  }
  // The build needs development packages too, whatever NODE_ENV says.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  run('installing', isWindows ? 'npm.cmd' : 'npm', args, { shell: isWindows })
}

function build() {
  const key = buildKey()
  // `npm run check` checks types: skipping that here makes a first start three times as fast.
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  run('building', process.execPath, [tsc, '-b', 'packages/sdk', '--noCheck'])
  bundleServer()
  buildApp()
  writeFileSync(stamp, key)
}

function bundleServer() {
  const server = join(root, 'packages/server')
  const dist = join(server, 'dist')
  // The names of most files change with their content, so those of the last build would stay.
  if (existsSync(dist)) {
    for (const name of readdirSync(dist)) {
      if (/\.js(\.map)?$/.test(name)) rmSync(join(dist, name))
    }
  }
  const rolldown = join(root, 'node_modules/rolldown/bin/cli.mjs')
  run('bundling the server', process.execPath, [rolldown, '-c', 'rolldown.config.mjs'], {
    cwd: server,
  })
}

/** Builds the web app into the server's build, which contains it. */
function buildApp() {
  const key = appKey()
  if (!existsSync(appStamp) || readFileSync(appStamp, 'utf8') !== key) {
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    const env = { ...process.env, NODE_ENV: 'production' }
    run('building the dashboard', process.execPath, [vite, 'build'], { cwd: app, env })
    pack(join(app, 'dist/assets'))
    writeFileSync(appStamp, key)
  }
  // Old files stay: a running server may still get requests for the files of its own build.
  cpSync(join(app, 'dist'), join(root, 'packages/server/dist/dashboard'), { recursive: true })
}

/** Compresses files once, instead of at each request. */
function pack(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const bytes = readFileSync(path)
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
    writeFileSync(`${path}.br`, brotliCompressSync(bytes))
  }
}

function removeBuilds() {
  for (const path of [...packages, app]) {
    rmSync(join(path, 'dist'), { recursive: true, force: true })
  }
}

export function prepare({ force = false } = {}) {
  requireNode()
  if (!force && isFresh()) return
  try {
    alone(() => {
      if (!isInstalled()) install()
      if (force || !existsSync(join(root, 'packages/sdk/dist/index.js'))) removeBuilds()
      if (!isFresh()) build()
    })
  } catch (error) {
    stop(`the clone can't be prepared: ${error.message}`)
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  prepare({ force: process.argv.includes('--force') })
}
