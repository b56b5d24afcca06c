// The conditions for a release: everything in it is committed, described, and has a version of its own.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGES = ['packages/sdk', 'packages/server', 'packages/dashboard']

const git = (root, ...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** The version that a release of this clone would have: that of the server. */
export const versionOf = (root) => readJson(join(root, 'packages/server/package.json')).version

/** The changelog's section about a version, or undefined if there is none with a date. */
function sectionOf(changelog, version) {
  const sections = changelog.split(/^(?=## )/m)
  const isAbout = (section) => {
    const [, name, date] =
      /^## (\S+) \((\d{4}-\d{2}-\d{2})\)$/m.exec(section.split('\n', 1)[0]) ?? []
    return name === version && !Number.isNaN(Date.parse(date))
  }
  return sections.find(isAbout)
}

/** Whether a version is one between releases. A build of it says which commit it is. */
export const isDevelopment = (version) => version.endsWith('-dev')

/** Whether the changelog lists changes that belong to no release yet. */
export const hasUnreleasedChanges = (changelog) =>
  changelog.split(/^(?=## )/m).some((section) => /^## Unreleased$[\s\S]*^- /m.test(section))

function* findVersionRefusals(root, version) {
  const lock = readJson(join(root, 'package-lock.json'))
  for (const folder of PACKAGES) {
    const { name, version: own } = readJson(join(root, folder, 'package.json'))
    if (own !== version) yield `${name} has version ${own}, and the server ${version}`
    const locked = lock.packages[folder]?.version
    if (locked !== own) yield `package-lock.json has version ${locked} of ${name}, not ${own}`
  }
}

function* findChangelogRefusals(root, version) {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  if (hasUnreleasedChanges(changelog)) {
    yield `CHANGELOG.md lists changes under "Unreleased": move them to the section of ${version}`
  }
  const section = sectionOf(changelog, version)
  if (section === undefined) {
    yield `CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)"`
  } else if (!/^- /m.test(section)) {
    yield `the section of ${version} in CHANGELOG.md lists no change`
  }
}

/** One line for each reason not to make a release of this clone now. */
export function findRefusals(root) {
  const version = versionOf(root)
  if (isDevelopment(version)) {
    return [`${version} is a development version: set that of the release, as CONTRIBUTING.md says`]
  }
  const refusals = [...findVersionRefusals(root, version), ...findChangelogRefusals(root, version)]
  const changed = git(root, 'status', '--porcelain')
  if (changed !== '') refusals.push(`files are not committed:\n${changed}`)
  if (git(root, 'tag', '--list', `v${version}`) !== '') {
    refusals.push(`the tag v${version} exists already: choose the next version`)
  }
  return refusals
}
