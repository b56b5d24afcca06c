// The software bill of materials of the server's package, as CycloneDX JSON. `npm sbom` can't make it: most of what the
// package contains was bundled into it, from packages that its manifest calls development dependencies.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Lists of the packages in each bundle, which the build writes beside it. */
const BUNDLES = ['dist/third-party-packages.json', 'dist/dashboard/third-party-packages.json']

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

const purlOf = (name, version) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`

/** The lock file's entry of a package as seen from another: the innermost folder wins, as in Node. */
function resolve(lock, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = `${at}${at && '/'}node_modules/${name}`
    if (lock.packages[place]) return place
    if (at === '' || !at.includes('/'))
      return lock.packages[`node_modules/${name}`] && `node_modules/${name}`
  }
}

const nameOf = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Everything that an installation of the server adds to `node_modules`: place in the lock file to what it needs. */
function installedBy(lock, folder) {
  const found = new Map()
  const needsOf = (place) => {
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[place]
    const names = Object.keys({ ...dependencies, ...optionalDependencies })
    return names.map((name) => resolve(lock, place, name)).filter((one) => one !== undefined)
  }
  const pending = needsOf(folder)
  const direct = [...pending]
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (found.has(place)) continue
    found.set(place, needsOf(place))
    pending.push(...found.get(place))
  }
  return { found, direct }
}

/** The lock file's digest in the form of CycloneDX: hexadecimal, with the name of its algorithm. */
function hashesOf(integrity) {
  const [, algorithm, base64] = /^sha(\d+)-(\S+)/.exec(integrity ?? '') ?? []
  if (algorithm === undefined) return {}
  const content = Buffer.from(base64, 'base64').toString('hex')
  return { hashes: [{ alg: `SHA-${algorithm}`, content }] }
}

const isExpression = (license) => /[\s()]/.test(license)

function licensesOf(license) {
  if (typeof license !== 'string') return {}
  if (isExpression(license)) return { licenses: [{ expression: license }] }
  return { licenses: [{ license: { id: license } }] }
}

function toComponent({ name, version, license, integrity }, how) {
  const [scope, base] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return {
    type: 'library',
    'bom-ref': purlOf(name, version),
    ...(scope ? { group: scope } : {}),
    name: base,
    version,
    scope: 'required',
    ...hashesOf(integrity),
    ...licensesOf(license),
    purl: purlOf(name, version),
    properties: [{ name: 'gatehouse:delivery', value: how }],
  }
}

const byRef = (one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1)

/** Packages inside the bundles, with the digests of the lock file. */
function bundledIn(root, lock) {
  const packages = BUNDLES.flatMap((file) => readJson(join(root, 'packages/server', file)))
  const locked = new Map(
    Object.entries(lock.packages)
      .filter(([place]) => place.includes('node_modules/'))
      .map(([place, entry]) => [purlOf(nameOf(place), entry.version), entry]),
  )
  return packages.map((one) => {
    const { integrity } = locked.get(purlOf(one.name, one.version)) ?? {}
    return toComponent({ ...one, integrity }, 'bundled')
  })
}

/** Describes the server as it is built in a clone. `time` is that of the commit, so that the same commit gives the same file. */
export function makeSbom(root, { time }) {
  const lock = readJson(join(root, 'package-lock.json'))
  const { name, version, license, description } = readJson(
    join(root, 'packages/server/package.json'),
  )
  const { found, direct } = installedBy(lock, 'packages/server')
  const refOf = (place) => purlOf(nameOf(place), lock.packages[place].version)
  const installed = [...found.keys()].map((place) =>
    toComponent({ ...lock.packages[place], name: nameOf(place) }, 'installed'),
  )
  const bundled = bundledIn(root, lock)
  const components = new Map([...bundled, ...installed].map((one) => [one['bom-ref'], one]))
  const ref = purlOf(name, version)
  const rootNeeds = [...new Set([...direct.map(refOf), ...bundled.map((one) => one['bom-ref'])])]
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: time,
      component: {
        type: 'application',
        'bom-ref': ref,
        group: '@gatehouse',
        name: 'server',
        version,
        description,
        ...licensesOf(license),
        purl: ref,
      },
    },
    components: [...components.values()].sort(byRef),
    dependencies: [
      { ref, dependsOn: rootNeeds.sort() },
      ...[...found].map(([place, needs]) => ({
        ref: refOf(place),
        dependsOn: [...new Set(needs.map(refOf))].sort(),
      })),
    ],
  }
}
