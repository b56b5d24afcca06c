// Makes the files of a release: the packages as npm publishes them, the server's bill of materials, and the checksums.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { versionOf } from './refusals.mjs'
import { makeSbom } from './sbom.mjs'

/** The server is packed last: its build is the one that the bill of materials describes. */
const PACKAGES = ['@gatehouse/sdk', '@gatehouse/server']
const CHECKSUMS = 'SHA256SUMS'

const commitTime = (root) => {
  const args = ['log', '-1', '--format=%ct']
  const seconds = Number(execFileSync('git', args, { cwd: root, encoding: 'utf8' }))
  return new Date(seconds * 1000).toISOString()
}

/** The names of the files that a release has. */
export const filesOf = (version) => [
  `gatehouse-sdk-${version}.tgz`,
  `gatehouse-server-${version}.tgz`,
  `gatehouse-server-${version}.cdx.json`,
  CHECKSUMS,
]

/** Writes the files into a folder, which is emptied before. */
export function makeFiles(root, folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const name of PACKAGES) {
    const args = ['pack', '--silent', '-w', name, '--pack-destination', folder]
    execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const sbom = JSON.stringify(makeSbom(root, { time: commitTime(root) }), null, 2)
  writeFileSync(join(folder, `gatehouse-server-${versionOf(root)}.cdx.json`), `${sbom}\n`)
  const lines = readdirSync(folder)
    .sort()
    .map((file) => {
      const digest = createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex')
      return `${digest}  ${file}\n`
    })
  writeFileSync(join(folder, CHECKSUMS), lines.join(''))
}
