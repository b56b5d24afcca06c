// Installs and builds what is missing or stale, so that a fresh clone needs one command.
// Uses plain Node only: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import {
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
import { copyGuides } from './guides.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const inRoot = (path) => join(root, path)

/** The parts of the build, in order. A part is built again if any of its inputs has changed since. */
const PARTS = [
  {
    folder: 'packages/sdk',
    output: 'packages/sdk/dist',
    inputs: ['packages/sdk/src', 'packages/sdk/tsconfig.json', 'tsconfig.base.json'],
    build() {
      // `npm run check` checks types.
      const maps = process.env.GATEHOUSE_SOURCE_MAPS === 'off' ? ['--sourceMap', 'false'] : []
      const args = ['-b', '.', '--noCheck', '--force', ...maps]
      runNode('building the SDK', 'typescript-native/bin/tsc', args, this.folder)
    },
  },
  {
    folder: 'packages/server',
    output: 'packages/server/dist',
    inputs: [
      'packages/server/src',
      'packages/server/rolldown.config.mjs',
      'scripts/guides.mjs',
      'packages/sdk/src',
      'docs',
    ],
    build() {
      const args = ['-c', 'rolldown.config.mjs']
      runNode('bundling the server', 'rolldown/bin/cli.mjs', args, this.folder)
      copyGuides(inRoot('docs'), inRoot('packages/server/dist/guides'))
      writeCommit(inRoot('packages/server/dist/commit.txt'))
    },
  },
  {
    folder: 'packages/dashboard',
    output: 'packages/server/dist/dashboard',
    // A running server may still get requests for the files of its own build.
    keepsOldFiles: true,
    inputs: [
      ...['src', 'public', 'index.html', 'vite.config.ts'].map((it) => `packages/dashboard/${it}`),
      // Sources of the server that the dashboard uses.
      'packages/server/src/domain/apps/currency.ts',
      'packages/server/src/domain/downloads/limits.ts',
      'packages/server/src/domain/images/limits.ts',
      'packages/server/src/markdown.ts',
      'packages/server/src/domain/resources/limits.ts',
      'packages/server/src/http/dashboard/api.ts',
      'packages/server/src/http/dashboard/route.ts',
    ],
    build() {
      const args = ['build', '--outDir', inRoot(this.output), '--emptyOutDir', 'false']
      runNode('building the dashboard', 'vite/bin/vite.js', args, this.folder)
    },
  },
]

/** @returns {never} */
function stop(message) {
  console.error(`gatehouse: ${message}`)
  process.exit(1)
}

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

/** Notes the commit that is built, and whether files were changed since. A development version is named by it; outside of a
 * clone, as in the build of an image, there is nothing to note. */
function writeCommit(path) {
  if (changed(inRoot('.git')) === 0) return
  const args = ['describe', '--always', '--dirty', '--abbrev=8', '--exclude=*']
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status === 0) writeFileSync(path, stdout)
}

function runNode(step, script, args, folder) {
  const env = { ...process.env, NODE_ENV: 'production' }
  const path = inRoot(`node_modules/${script}`)
  run(step, process.execPath, [path, ...args], { cwd: inRoot(folder), env })
}

const changed = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Tests are not part of the build. */
const isTest = (path) => /[\\/]testing([\\/]|$)|\.test\.ts$/.test(path)

/** The time of the newest change to a file, or to a folder and everything in it. */
function newest(path) {
  if (!statSync(path).isDirectory()) return changed(path)
  const paths = readdirSync(path, { withFileTypes: true, recursive: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((one) => !isTest(one))
  return Math.max(changed(path), ...paths.map(changed))
}

/** Changes with every change to the inputs of a part. */
const keyOf = ({ inputs }) =>
  String(Math.max(...['package-lock.json', ...inputs].map((path) => newest(inRoot(path)))))

const stampOf = ({ output }) => inRoot(`${output}/.built`)

function isBuilt(part) {
  return changed(stampOf(part)) > 0 && readFileSync(stampOf(part), 'utf8') === keyOf(part)
}

function removeOlder(part, time) {
  const others = PARTS.filter((one) => one !== part).map(({ output }) => inRoot(output))
  const entries = readdirSync(inRoot(part.output), { withFileTypes: true, recursive: true })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const isOwn = !others.some((other) => path.startsWith(other))
    if (entry.isFile() && isOwn && changed(path) < time) rmSync(path)
  }
}

/** Builds a part, then deletes what the build before has left, such as the output of a source file that was moved. */
function build(part, isForPackage) {
  const key = keyOf(part)
  // The clock of a file system may be some milliseconds behind.
  const begun = Date.now() - 1_000
  part.build()
  if (!part.keepsOldFiles) removeOlder(part, begun)
  // A build for a package has no source maps, so the next start in the clone builds again.
  if (!isForPackage) writeFileSync(stampOf(part), key)
}

const readPackages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages

/** Whether every package of the lock file is installed in its version. A newer lock file may only have another version of ours. */
function isInstalled() {
  const [record, lock] = ['node_modules/.package-lock.json', 'package-lock.json'].map(inRoot)
  if (changed(record) === 0) return false
  if (changed(record) >= changed(lock)) return true
  const installed = readPackages(record)
  return Object.entries(readPackages(lock)).every(([place, { version, link, optional }]) => {
    if (!place.includes('node_modules/') || link) return true
    // Optional packages for other platforms are not installed.
    return installed[place] ? installed[place].version === version : optional
  })
}

function install() {
  // npm would delete packages from the folder to which the link leads.
  if (lstatSync(inRoot('node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    stop('node_modules is a link to a folder with other packages; remove the link')
  }
  // The build needs development packages too, whatever NODE_ENV says.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  const isWindows = process.platform === 'win32'
  run('installing', isWindows ? 'npm.cmd' : 'npm', args, { shell: isWindows })
}

/** Whether the lock's process was killed, or the lock is so old that its pid may belong to another process. */
function isAbandoned(lock) {
  const age = Date.now() - changed(lock)
  if (age > 15 * 60_000) return true
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    // The pid is written right after the file is created.
    if (pid === 0) return age > 2_000
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function tryLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Runs one process at a time: two that install or build concurrently would overwrite each other's files. */
function withBuildLock(work) {
  const lock = inRoot('.cache/prepare.lock')
  mkdirSync(inRoot('.cache'), { recursive: true })
  for (let tries = 0; !tryLock(lock); tries++) {
    if (tries === 0) console.error('gatehouse: waiting for another start to finish its build …')
    if (isAbandoned(lock)) rmSync(lock, { recursive: true, force: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
  // Unlock also when stop() ends the process.
  const unlock = () => rmSync(lock, { recursive: true, force: true })
  process.once('exit', unlock)
  work()
  process.off('exit', unlock)
  unlock()
}

/** The server's package holds everything, the SDK's only itself. */
const partsOf = (folder) =>
  PARTS.filter((part) => folder !== 'packages/sdk' || part.folder === folder)

/** `packageFolder` builds one of the packages afresh, as it is published. */
export function prepare({ force = false, packageFolder } = {}) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    stop(`Node.js 20.19 or newer is required; this is ${process.versions.node}`)
  }
  const isForPackage = packageFolder !== undefined
  const isAfresh = force || isForPackage
  if (!isAfresh && isInstalled() && PARTS.every(isBuilt)) return
  try {
    withBuildLock(() => {
      if (!isInstalled()) install()
      for (const part of partsOf(packageFolder)) {
        if (isAfresh) rmSync(inRoot(part.output), { recursive: true, force: true })
        if (!isBuilt(part)) build(part, isForPackage)
      }
    })
  } catch (error) {
    stop(`the clone can't be prepared: ${error.message}`)
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  prepare({ force: process.argv.includes('--force') })
}
