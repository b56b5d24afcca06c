import { execFile } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesOf as filesOfRelease, makeFiles } from '../scripts/release/files.mjs'
import { versionOf } from '../scripts/release/refusals.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PACKAGES = ['@gatehouse/sdk', '@gatehouse/server']

const run = promisify(execFile)

/** Lists the files of an installed package. */
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(`${folder}/node_modules`))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

/** Lists the packages in a folder of npm, also those inside others. */
const packagesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name === 'package.json')
    .map((entry) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(entry.parentPath)?.[1])
    .filter((name) => name !== undefined)

/** The files to which a page links, without anchors. */
const localLinksIn = (text: string) =>
  [...text.replace(/```[\s\S]*?```/g, '').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(
    (match) => match[1] as string,
  )

interface Bom {
  bomFormat: string
  metadata: { component: { version: string } }
  components: {
    group?: string
    name: string
    version: string
    'bom-ref': string
    hashes?: unknown
    licenses?: unknown
  }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

describe('the packages, installed in an empty folder', () => {
  const version = versionOf(ROOT)
  let folder: string
  let release: string
  let bom: Bom
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-packages-'))
    release = join(folder, 'release')
    makeFiles(ROOT, release)
    bom = JSON.parse(readFileSync(join(release, `gatehouse-server-${version}.cdx.json`), 'utf8'))
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    const packed = readdirSync(release).filter((file) => file.endsWith('.tgz'))
    expect(packed).toHaveLength(PACKAGES.length)
    const args = [
      'install',
      '--no-audit',
      '--no-fund',
      ...packed.map((file) => `./release/${file}`),
    ]
    await run('npm', args, { cwd: folder })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('have checksums that sha256sum accepts', async () => {
    expect(readdirSync(release).sort()).toEqual(filesOfRelease(version).sort())
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release })
  })

  it('contain and install nothing that the bill of materials does not name', () => {
    const named = new Map(
      bom.components.map((one) => [one.group ? `${one.group}/${one.name}` : one.name, one]),
    )
    const installed = packagesIn(join(folder, 'node_modules'))
    const licenses = ['dist', 'dist/dashboard'].map((at) =>
      readFileSync(
        join(folder, 'node_modules/@gatehouse/server', at, 'third-party-licenses.txt'),
        'utf8',
      ),
    )
    const bundled = licenses.flatMap((text) => [...text.matchAll(/^(\S+) \d\S*\n\nLicense: /gm)])
    const expected = [...installed, ...bundled.map((match) => match[1])]
    expect(bundled.length).toBeGreaterThan(100)
    expect(expected).toEqual(expect.arrayContaining(['@photostructure/sqlite', 'fastify', 'react']))
    const own = (name: string | undefined) => name?.startsWith('@gatehouse/')
    expect(expected.filter((name) => !own(name) && !named.has(name ?? ''))).toEqual([])
  })

  it('have a bill of materials with a digest and a license for every package, and no loose end', () => {
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { version } } })
    expect(bom.components.filter((one) => !one.hashes || !one.licenses)).toEqual([])
    const refs = new Set(bom.components.map((one) => one['bom-ref']))
    expect(refs.size).toBe(bom.components.length)
    const needed = bom.dependencies.flatMap((one) => one.dependsOn)
    expect(needed.filter((ref) => !refs.has(ref))).toEqual([])
  })

  it('have a bill of materials that CycloneDX accepts, with no field that it does not know', async () => {
    const validate = (file: string) =>
      run(process.execPath, [join(ROOT, 'packaging/sbom/validate.mjs'), join(release, file)])
    const { stdout } = await validate(`gatehouse-server-${version}.cdx.json`)
    expect(stdout).toBe('valid CycloneDX 1.6\n')
    const [first, ...others] = bom.components
    const changed = { ...bom, components: [{ ...first, licence: 'MIT' }, ...others] }
    writeFileSync(join(folder, 'changed.json'), JSON.stringify(changed))
    await expect(validate('../changed.json')).rejects.toThrow('additional properties')
  })

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

  it('have the guides as files whose links lead somewhere, and a command that says where they are', async () => {
    const at = join(folder, 'node_modules/@gatehouse/server')
    const { stdout } = await run(join(folder, 'node_modules/.bin/gatehouse'), ['--help'])
    expect(stdout).toContain(`Guides: ${join(at, 'dist/guides/README.md')}`)
    const pages = filesOf(at).filter((file) => file.endsWith('.md'))
    const named = ['README.md', 'backup.md', 'troubleshooting.md'].map(
      (it) => `dist/guides/run/${it}`,
    )
    expect(pages).toEqual(expect.arrayContaining(['CHANGELOG.md', ...named]))
    const links = pages.flatMap((page) =>
      localLinksIn(readFileSync(join(at, page), 'utf8')).map((link) => ({ page, link })),
    )
    expect(links.length).toBeGreaterThan(200)
    expect(links.filter(({ page, link }) => !existsSync(join(at, dirname(page), link)))).toEqual([])
    expect(links).toContainEqual({
      page: 'dist/guides/run/README.md',
      link: '../../../deploy/gatehouse.service',
    })
  })

  it('take less than 60 MB', () => {
    const sizes = readdirSync(join(folder, 'node_modules'), {
      recursive: true,
      withFileTypes: true,
    })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).size)
    expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThan(60e6)
  })

  it('serves, answers the SDK, and sells', async () => {
    copyFileSync(join(ROOT, 'packaging/buy.mjs'), join(folder, 'buy.mjs'))
    const { stdout } = await run(process.execPath, ['buy.mjs'], { cwd: folder })
    expect(stdout).toBe('sold\n')
  })
})
