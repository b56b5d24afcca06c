// Makes a release of the clone: `npm run release` says what it would do, `npm run release -- --write` does it.
// It neither tags nor publishes: it prints the commands for that.
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { filesOf, makeFiles } from './release/files.mjs'
import { findRefusals, versionOf } from './release/refusals.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

const { values } = parseArgs({ options: { write: { type: 'boolean' }, out: { type: 'string' } } })
const version = versionOf(root)
// Git ignores `dist`, so a release leaves the clone as it is.
const folder = values.out ?? join(root, 'dist', version)
const shown = relative(process.cwd(), folder) || '.'

const refusals = findRefusals(root)
for (const refusal of refusals) console.error(`release: ${refusal}`)
if (refusals.length > 0) process.exit(1)

if (values.write) makeFiles(root, folder)
console.log(`${values.write ? 'Wrote' : 'Would write'} Gatehouse ${version} to ${shown}:`)
for (const file of filesOf(version)) console.log(`  ${file}`)
if (values.write) {
  console.log(`\nWhen the tests have passed with these files:
  git tag -a v${version} -m 'Gatehouse ${version}' && git push origin v${version}`)
} else {
  console.log('\nNothing was written. To make these files: npm run release -- --write')
}
