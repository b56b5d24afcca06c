// Runs the suite on the other versions of Node.js that people use, from the npm package `node`:
//   npm run test:nodes [-- arguments for vitest]
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare } from './prepare.mjs'

const VERSIONS = [22, 24]

const root = fileURLToPath(new URL('..', import.meta.url))
const isWindows = process.platform === 'win32'

/** @returns {never} */
function stop(message) {
  console.error(`gatehouse: ${message}`)
  process.exit(1)
}

/** Installs one version into its own folder, where it affects nothing else. */
function install(major) {
  const folder = join(root, '.cache', `node-${major}`)
  const program = join(folder, 'node_modules/node/bin', isWindows ? 'node.exe' : 'node')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  // With its own manifest, npm does not look for one further up, in the workspace.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--no-save', '--no-audit', '--no-fund', `node@${major}`]
  // The package fetches its binary as a dependency and puts it in place with a script.
  const { status, stdout, stderr } = spawnSync('npm', [...args, '--ignore-scripts=false'], {
    cwd: folder,
    encoding: 'utf8',
    shell: isWindows,
  })
  if (status === 0 && existsSync(program)) return program
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`)
  stop(`Node.js ${major} could not be installed`)
}

/** Child processes run on the same version: they are started with `process.execPath`, or from the PATH. */
function runSuite(program, args) {
  const PATH = `${dirname(program)}${delimiter}${process.env.PATH}`
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(program, [vitest, 'run', ...args], {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: 'inherit',
  })
  return status === 0
}

prepare()
const failed = VERSIONS.filter((major) => {
  const program = install(major)
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  console.info(`\ngatehouse: the suite on Node.js ${stdout.trim()}`)
  if (!stdout.startsWith(`v${major}.`)) stop(`expected Node.js ${major}`)
  return !runSuite(program, process.argv.slice(2))
})
if (failed.length > 0) stop(`the suite fails on Node.js ${failed.join(' and ')}`)
