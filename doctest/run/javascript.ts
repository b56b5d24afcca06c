import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { namesIn } from '../modules.ts'

const EVALUATE = fileURLToPath(new URL('evaluate.mjs', import.meta.url))

/** One Node process that runs the JavaScript of a page, block after block. */
export class JavaScript {
  readonly #folder: string
  readonly #child: ChildProcess
  #output = ''
  #count = 0

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder
    this.#child = fork(EVALUATE, { cwd: folder, env, silent: true })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
      })
    }
  }

  /** Runs a block as a module of the installation; returns its output. Throws what the block throws. */
  async run(code: string): Promise<string> {
    const path = join(this.#folder, `block-${++this.#count}.mjs`)
    // Names of a module are its own; later blocks find them in the global scope.
    writeFileSync(path, `${code}\nObject.assign(globalThis, { ${namesIn(code).join(', ')} })\n`)
    const from = this.#output.length
    this.#child.send(path)
    const [failure] = await once(this.#child, 'message')
    if (failure !== '') throw new Error(String(failure))
    return this.#output.slice(from)
  }

  async stop(): Promise<void> {
    this.#child.kill()
    await once(this.#child, 'exit')
  }
}
