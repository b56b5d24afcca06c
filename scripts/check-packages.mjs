// Checks the packages as npm would publish them: their manifests with publint, and the SDK's types with attw.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-check-'))

/** Packs what is built already: the scripts of npm pack would build it again. */
function pack(name) {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder, '-w', name]
  const output = execFileSync('npm', args, { cwd: root, encoding: 'utf8' })
  const packed = JSON.parse(output)
  return join(folder, (Array.isArray(packed) ? packed[0] : Object.values(packed)[0]).filename)
}

function passes(tool, args) {
  const program = join(root, 'node_modules/.bin', tool)
  const { status } = spawnSync(program, args, { cwd: folder, stdio: 'inherit' })
  return status === 0
}

try {
  const [sdk, server] = ['@gatehouse/sdk', '@gatehouse/server'].map(pack)
  const results = [
    passes('publint', ['run', '--strict', sdk]),
    passes('publint', ['run', '--strict', server]),
    // The server exports no code.
    passes('attw', ['--no-color', '--profile', 'esm-only', sdk]),
  ]
  process.exitCode = results.every(Boolean) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
