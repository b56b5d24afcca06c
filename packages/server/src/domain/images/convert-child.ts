import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export const CONVERTER = fileURLToPath(new URL('./convert-process.js', import.meta.url))

/** The permission model is experimental in Node.js 20, and has another name there. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission'

const NODE_MODULES = `${sep}node_modules${sep}`

/** The folder with the library that decodes images and with what it needs; undefined if it is not installed. */
function libraryFolder(): string | undefined {
  try {
    const path = createRequire(import.meta.url).resolve('sharp')
    // The outermost one: some package managers nest them, and link from one into another.
    return path.slice(0, path.indexOf(NODE_MODULES) + NODE_MODULES.length - 1)
  } catch {
    return undefined
  }
}

/** The converter may read its own program and that library, and write nothing: not the data folder, no settings, no keys.
 * Node enforces this for JavaScript. The native library isn't bound by it, but has no operation left that opens a file. */
function permissions(): string[] {
  const folders = [dirname(CONVERTER), libraryFolder()].filter((one) => one !== undefined)
  return [
    ...[PERMISSION, '--allow-addons'],
    ...folders.map((folder) => `--allow-fs-read=${join(folder, '*')}`),
  ]
}

/** Starts Node.js as a process that can do little more than convert an image. */
export function spawnRestricted(
  args: readonly string[],
  maxMs: number,
): ChildProcessByStdio<Writable, Readable, null> {
  return spawn(process.execPath, [...permissions(), '--max-old-space-size=128', ...args], {
    // Nothing of our own settings: the process needs none, and some are secrets.
    env: { VIPS_CONCURRENCY: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: maxMs,
    killSignal: 'SIGKILL',
  })
}
