import { existsSync, readFileSync } from 'node:fs'

/** The commit of the build, which `scripts/prepare.mjs` writes beside it; undefined outside of a build. */
function builtCommit(): string | undefined {
  const file = new URL('./commit.txt', import.meta.url)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

/** The version of Gatehouse, from its package.json. A development version, which no release has, names the commit too:
 * `0.3.0-dev+1a2b3c4d`. */
export function version(): string {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return nameBuild((JSON.parse(file) as { version: string }).version, builtCommit())
}

/** Names a build by its version and, unless it is a release, by its commit. */
export function nameBuild(version: string, commit: string | undefined): string {
  return version.endsWith('-dev') && commit ? `${version}+${commit}` : version
}
