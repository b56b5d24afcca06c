// A bundle holds code of other packages. Their licenses ask to be passed on with it: this plugin for Rolldown and Vite
// writes them into one file beside the bundle, and a list of the packages, from which a release makes its bill of materials.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const LICENSES = 'third-party-licenses.txt'
const PACKAGES = 'third-party-packages.json'

/** The folder of the package that a module belongs to, or undefined for our own modules. */
function packageOf(id) {
  const path = id.replace(/^\0/, '').replace(/\?.*$/, '')
  if (!path.includes('/node_modules/')) return undefined
  for (let folder = dirname(path); folder.includes('/node_modules/'); folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    // Some packages mark their folders of built code with a package.json that has no name.
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name) return folder
  }
  return undefined
}

function identify(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { name, version, license }
}

function describe(folder) {
  const { name, version, license } = identify(folder)
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)([.-]|$)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version}`, `License: ${license ?? 'see below'}`, ...texts].join('\n\n')
}

export function thirdPartyLicenses() {
  return {
    name: 'third-party-licenses',
    generateBundle(_options, bundle) {
      const ids = Object.values(bundle).flatMap((chunk) => chunk.moduleIds ?? [])
      const folders = new Set(ids.map(packageOf).filter((folder) => folder !== undefined))
      const parts = [...folders].map(describe).sort()
      const source = `${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
      this.emitFile({ type: 'asset', fileName: LICENSES, source })
      const packages = [...folders].sort().map(identify)
      this.emitFile({ type: 'asset', fileName: PACKAGES, source: JSON.stringify(packages) })
    },
  }
}
