// npm leaves optional packages of other platforms out of the lock file when the registry that made it
// does not have them, and `npm ci` then refuses the lock everywhere. This script adds them all.
// It also adds digests that npm left out; those of other platforms only with --all, which asks the registry once for each.
// With --check it changes nothing, and fails if something is missing.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const LOCKS = [
  'package-lock.json',
  'examples/package-lock.json',
  'packaging/openapi/package-lock.json',
  'packaging/sbom/package-lock.json',
]
const pathOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))

/** Where Node would look for a package, from the innermost folder out. */
function* placesOf(name, where) {
  for (let at = where; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    yield `${at}${at && '/'}node_modules/${name}`
    if (at === '') return
  }
}

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const PROCESSORS = ['arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64']

/** Derives the platform of such a package from its name. */
function platformOf(name) {
  const words = name.split(/[/-]/)
  // WebAssembly runs on every operating system.
  if (words.includes('wasm32')) return { cpu: ['wasm32'] }
  const os = words.filter((word) => SYSTEMS.includes(word))
  const cpu = words.filter((word) => PROCESSORS.includes(word))
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`which platform is ${name} for?`)
  const libc = words.some((word) => word.startsWith('musl')) ? { libc: ['musl'] } : {}
  return { cpu, ...libc, os }
}

/** The optional packages that a lock file should name and does not. */
const missingIn = (lock) =>
  Object.entries(lock.packages).flatMap(([where, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => ![...placesOf(name, where)].some((place) => lock.packages[place]))
      .map(([name, version]) => ({ name, version, dev })),
  )

/** Packages of other platforms may have no digest: the registry at hand may not have them. All others need one. */
const isForOnePlatform = ({ optional, os, cpu }) => optional && (os ?? cpu) !== undefined

/** The entries of a lock file without a digest of the package's content. Links lead to folders of the clone. */
const withoutDigest = (lock) =>
  Object.entries(lock.packages)
    .filter(([where, entry]) => where.includes('node_modules/') && !entry.link && !entry.integrity)
    .map(([where, entry]) => ({ ...entry, entry, name: where.replace(/^.*node_modules\//, '') }))

/** Asks the registry for a digest; undefined if it doesn't have the package. */
function findDigest({ name, version }) {
  try {
    const args = ['view', `${name}@${version}`, 'dist.integrity']
    return execFileSync('npm', args, { encoding: 'utf8', stdio: 'pipe' }).trim() || undefined
  } catch {
    return undefined
  }
}

function addDigests(lock) {
  const isWanted = (one) => isAll || !isForOnePlatform(one)
  for (const { entry, ...one } of withoutDigest(lock).filter(isWanted)) {
    const integrity = findDigest(one)
    if (integrity) entry.integrity = integrity
    else console.log(`the registry has no digest of ${one.name} ${one.version}`)
  }
}

const byName = ([one], [other]) => (one < other ? -1 : 1)

/** Adds what is missing, and returns how much that was. */
function complete(name) {
  const lock = JSON.parse(readFileSync(pathOf(name), 'utf8'))
  const missing = missingIn(lock)
  for (const { name, version, dev } of missing) {
    const entry = { version, ...(dev ? { dev } : {}), optional: true, ...platformOf(name) }
    lock.packages[`node_modules/${name}`] = entry
  }
  addDigests(lock)
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(byName))
  writeFileSync(pathOf(name), `${JSON.stringify(lock, null, 2)}\n`)
  return missing.length
}

function check(name) {
  const lock = JSON.parse(readFileSync(pathOf(name), 'utf8'))
  const missing = missingIn(lock)
  for (const one of missing) console.error(`${name} lacks ${one.name}`)
  const unknown = withoutDigest(lock).filter((one) => !isForOnePlatform(one))
  for (const one of unknown) console.error(`${name} has no digest of ${one.name}`)
  return missing.length + unknown.length
}

const isAll = process.argv.includes('--all')
const isCheck = process.argv.includes('--check')
const count = LOCKS.map(isCheck ? check : complete).reduce((sum, one) => sum + one, 0)
if (!isCheck) console.log(`named ${count} packages of other platforms`)
else if (count > 0) {
  console.error('run: npm run lock')
  process.exitCode = 1
}
