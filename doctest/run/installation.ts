import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../blocks.ts'

const PREPARE = new URL('../../scripts/prepare.mjs', import.meta.url).href

/** Files that a clone does not have, or that take long to copy and are not needed. */
const LEFT_OUT = ['.git', '.cache', '.env', 'data', 'node_modules', 'bench', 'stress']

export interface InstallationCopy {
  folder: string
  remove(): void
}

/**
 * Copies the working tree, with what is installed and built, so that commands of the pages can write where they like.
 * The copy is outside of the repository: below it, npx would find the commands of the repository itself.
 */
export async function copyInstallation(): Promise<InstallationCopy> {
  const { prepare } = (await import(PREPARE)) as { prepare(): void }
  prepare()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-docs-'))
  const entries = readdirSync(root).filter((name) => !LEFT_OUT.includes(name))
  // `cp -a` keeps the times of folders too; with new ones, the first command would build everything again.
  execFileSync('cp', ['-a', ...entries.filter((name) => name !== 'examples'), folder], {
    cwd: root,
  })
  copyExamples(folder)
  copyPackages(folder)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Copies the examples without their packages, which are large: the pages run only examples that need none. */
function copyExamples(folder: string): void {
  const entries = readdirSync(join(root, 'examples')).filter((name) => name !== 'node_modules')
  mkdirSync(join(folder, 'examples'))
  execFileSync('cp', ['-a', ...entries, join(folder, 'examples')], { cwd: join(root, 'examples') })
}

/** Takes a second with hard links, and some more where the temporary folder is on another file system. */
function copyPackages(folder: string): void {
  try {
    execFileSync('cp', ['-al', 'node_modules', folder], { cwd: root, stdio: 'ignore' })
  } catch {
    execFileSync('cp', ['-a', 'node_modules', folder], { cwd: root })
  }
}
