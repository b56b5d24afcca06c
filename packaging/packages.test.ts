import { execFile } from 'node:child_process'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PACKAGES = ['@gatehouse/sdk', '@gatehouse/server']

const run = promisify(execFile)

/** Lists the files of an installed package. */
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(`${folder}/node_modules`))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

describe('the packages, installed in an empty folder', () => {
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-packages-'))
    for (const name of PACKAGES) {
      await run('npm', ['pack', '-w', name, '--pack-destination', folder], { cwd: ROOT })
    }
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    const packed = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
    expect(packed).toHaveLength(PACKAGES.length)
    const args = ['install', '--no-audit', '--no-fund', ...packed.map((file) => `./${file}`)]
    await run('npm', args, { cwd: folder })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(PACKAGES)('%s has its code and license, and nothing that leads nowhere', (name) => {
    const at = join(folder, 'node_modules', name)
    const files = filesOf(at)
    expect(files).toContain('LICENSE')
    expect(files).toContain('README.md')
    expect(files.filter((file) => /\.map$|\.tsbuildinfo$|\.built$|\.test\./.test(file))).toEqual([])
    const scripts = files.filter((file) => file.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(10)
    const mapped = scripts.filter((file) =>
      readFileSync(join(at, file), 'utf8').includes('sourceMappingURL='),
    )
    expect(mapped).toEqual([])
  })

  it('serves, answers the SDK, and sells', async () => {
    copyFileSync(join(ROOT, 'packaging/buy.mjs'), join(folder, 'buy.mjs'))
    const { stdout } = await run(process.execPath, ['buy.mjs'], { cwd: folder })
    expect(stdout).toBe('sold\n')
  })
})
