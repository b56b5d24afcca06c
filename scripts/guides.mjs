// Copies the guides into the server's build, for /docs/guides and for operators who read them as files. Uses plain Node only.
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Guides for people who change Gatehouse stay in the clone. */
const INTERNAL = /[\\/](decisions|internals)$/

/** Files besides the guides that are in the package: `scripts/prepack.mjs` copies them. */
const IN_PACKAGE = /^(deploy(\/.*)?|CHANGELOG\.md)$/

/** A block of code, code in a line, or a link with its text and target. */
const LINK_OR_CODE = /^( *)```[\s\S]*?^\1```$|`[^`\n]*`|(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/gm

/** Where the package has a file of the clone; undefined if it lacks the file. */
function placeInPackage(file, hasGuide) {
  if (IN_PACKAGE.test(file)) return file
  if (file.startsWith('docs/') && hasGuide(file.slice('docs/'.length))) {
    return file.replace('docs', 'dist/guides')
  }
}

/** Returns a page of the clone with links that work in the package. Links to files that the package lacks become plain
 * text. */
export function linkForPackage(page, text, hasGuide) {
  const from = posix.dirname(placeInPackage(page, hasGuide))
  return text.replace(LINK_OR_CODE, (whole, _, label, target) => {
    if (target === undefined || /^(https?:|mailto:|#)/.test(target)) return whole
    const [path, ...anchor] = target.split('#')
    const place = placeInPackage(posix.join(posix.dirname(page), path), hasGuide)
    if (place === undefined) return label
    return `[${label}](${[posix.relative(from, place), ...anchor].join('#')})`
  })
}

/** Whether a page, picture or folder of `docs` is among the guides in a folder. */
const guidesIn = (folder) => (file) => existsSync(join(folder, file))

/** Copies the guides with their pictures from one folder to another. */
export function copyGuides(from, to) {
  const filter = (path) =>
    !INTERNAL.test(path) && (statSync(path).isDirectory() || /\.(md|png)$/.test(path))
  cpSync(from, to, { recursive: true, filter })
  const files = readdirSync(to, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((path) => path.endsWith('.md'))) {
    const page = `docs/${file.replaceAll('\\', '/')}`
    const text = readFileSync(join(to, file), 'utf8')
    writeFileSync(join(to, file), linkForPackage(page, text, guidesIn(to)))
  }
}

/** Copies the changelog into a package that has the guides. */
export function copyChangelog(root, packageFolder) {
  const hasGuide = guidesIn(join(packageFolder, 'dist/guides'))
  const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  writeFileSync(join(packageFolder, 'CHANGELOG.md'), linkForPackage('CHANGELOG.md', text, hasGuide))
}
