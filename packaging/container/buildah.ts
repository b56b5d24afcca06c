import { execFile, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Calls buildah with a storage of its own: nothing is left on the machine once the folder is deleted. */
export class Buildah {
  readonly #storage: string[]
  constructor(folder: string) {
    for (const name of ['storage', 'run']) mkdirSync(join(folder, name))
    // vfs copies whole folders, and needs neither overlay mounts nor FUSE.
    this.#storage = ['--storage-driver', 'vfs']
    this.#storage.push('--root', join(folder, 'storage'), '--runroot', join(folder, 'run'))
  }

  async run(command: string, ...args: string[]): Promise<string> {
    const options = { maxBuffer: 64 * 1024 * 1024 }
    const { stdout } = await run('buildah', [...this.#storage, command, ...args], options)
    return stdout.trim()
  }

  /** Starts a command in a container, with the user, variables and folder that its image sets. */
  start(container: string, variables: Record<string, string>, command: string[]) {
    const env = Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    const args = [...this.#storage, 'run', '--isolation', 'chroot', ...env, container, '--']
    return spawn('buildah', [...args, ...command], { stdio: ['ignore', 'pipe', 'pipe'] })
  }
}
