import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  findRefusals,
  hasUnreleasedChanges,
  isDevelopment,
  versionOf,
} from '../scripts/release/refusals.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CHANGELOG = '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-17)\n\n- Something new.\n'
const FOLDERS = ['packages/sdk', 'packages/server', 'packages/dashboard']

describe('a release', () => {
  let root: string

  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' })

  function write(file: string, content: unknown) {
    const path = join(root, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  }

  function commit() {
    git('add', '.')
    git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-qm', 'Change it')
  }

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-release-'))
    git('init', '-q')
    for (const folder of FOLDERS) {
      write(`${folder}/package.json`, { name: folder, version: '0.2.0' })
    }
    const packages = Object.fromEntries(FOLDERS.map((folder) => [folder, { version: '0.2.0' }]))
    write('package-lock.json', { packages })
    write('CHANGELOG.md', CHANGELOG)
    commit()
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('is made of a clean clone with a dated section in the changelog', () => {
    expect(findRefusals(root)).toEqual([])
  })

  it.each([
    ['a file that is changed', 'CHANGELOG.md', `${CHANGELOG}\n`],
    ['a file that git does not know', 'notes.txt', 'later'],
  ])('refuses %s', (_, file, content) => {
    write(file, content)
    expect(findRefusals(root)).toEqual([expect.stringContaining(file)])
  })

  it.each([
    ['without a date', '## 0.2.0\n\n- New.\n', 'no section'],
    ['with a date that is none', '## 0.2.0 (2026-13-45)\n\n- New.\n', 'no section'],
    ['of another version', '## 0.2.1 (2026-11-17)\n\n- New.\n', 'no section'],
    ['that is empty', '## 0.2.0 (2026-11-17)\n\n## 0.1.0 (2026-11-15)\n\n- Old.\n', 'no change'],
  ])('refuses a section of the changelog %s', (_, changelog, message) => {
    write('CHANGELOG.md', changelog)
    commit()
    expect(findRefusals(root)).toEqual([expect.stringContaining(message)])
  })

  it('refuses changes that the changelog lists as unreleased', () => {
    write('CHANGELOG.md', CHANGELOG.replace('## Unreleased\n', '## Unreleased\n\n- Later.\n'))
    commit()
    expect(findRefusals(root)).toEqual([
      'CHANGELOG.md lists changes under "Unreleased": move them to the section of 0.2.0',
    ])
  })

  it('refuses a development version in one line', () => {
    write('packages/server/package.json', { name: '@gatehouse/server', version: '0.3.0-dev' })
    expect(findRefusals(root)).toEqual([
      '0.3.0-dev is a development version: set that of the release, as CONTRIBUTING.md says',
    ])
  })

  it('is over before the next change: this clone has a development version while it lists one', () => {
    const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
    expect(hasUnreleasedChanges(changelog) && !isDevelopment(versionOf(ROOT))).toBe(false)
  })

  it('refuses a version whose tag exists', () => {
    git('tag', 'v0.2.0')
    expect(findRefusals(root)).toEqual(['the tag v0.2.0 exists already: choose the next version'])
  })

  it('refuses packages of different versions', () => {
    write('packages/sdk/package.json', { name: '@gatehouse/sdk', version: '0.1.0' })
    commit()
    expect(findRefusals(root)).toEqual([
      '@gatehouse/sdk has version 0.1.0, and the server 0.2.0',
      'package-lock.json has version 0.2.0 of @gatehouse/sdk, not 0.1.0',
    ])
  })
})
