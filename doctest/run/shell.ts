import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'

const WAIT = { timeout: 60_000, interval: 20 }

/** A shell that outlives its commands takes note of their ends. Whatever else would may be seconds late. */
const IGNORE_STOP = 'trap : TERM'

/** One shell that runs the blocks of a page in order, so that variables and background commands carry over. */
export class Shell {
  readonly #child: ChildProcess
  readonly #files: string
  readonly #exited: Promise<unknown>
  #output = ''
  #count = 0

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#files = join(folder, '.cache')
    mkdirSync(this.#files, { recursive: true })
    // A process group of its own, so that background commands can be stopped together with the shell.
    this.#child = spawn('sh', ['-e'], { cwd: folder, env, stdio: 'pipe', detached: true })
    this.#exited = once(this.#child, 'exit')
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
      })
    }
    this.#send(IGNORE_STOP)
  }

  /** Runs a script in this shell; returns its output. Throws if one of its commands fails. */
  async run(script: string): Promise<string> {
    const done = `done-${++this.#count}`
    const from = this.#output.length
    this.#send(`. ${this.#write(`${done}.sh`, script)} < /dev/null\necho; echo ${done}`)
    const ended = () => this.#output.includes(`\n${done}\n`, from)
    while (!ended()) {
      const { exitCode } = this.#child
      if (exitCode !== null) throw new Error(`exit code ${exitCode}:\n${this.#output.slice(from)}`)
      await Promise.race([once(this.#child.stdout as NodeJS.EventEmitter, 'data'), this.#exited])
    }
    return this.#output.slice(from, this.#output.lastIndexOf(`\n${done}\n`))
  }

  /** Starts a script that doesn't end by itself; resolves when its output has the text. */
  async start(script: string, text: string): Promise<void> {
    const name = `background-${++this.#count}`
    const path = this.#write(`${name}.sh`, script)
    const log = this.#write(`${name}.log`, '')
    await this.run(`( ${IGNORE_STOP}; . ${path} ) > ${log} 2>&1 &`)
    await vi.waitFor(() => {
      const output = readFileSync(log, 'utf8')
      if (!output.includes(text)) throw new Error(`no "${text}" in:\n${output}`)
    }, WAIT)
  }

  /** Writes a file beside the scripts; returns its path. */
  #write(name: string, text: string): string {
    const path = join(this.#files, name)
    writeFileSync(path, text)
    return path
  }

  #send(text: string): void {
    this.#child.stdin?.write(`${text}\n`)
  }

  /** Stops the shell and everything that it has started. */
  async stop(): Promise<void> {
    const group = -(this.#child.pid as number)
    const signal = (name: NodeJS.Signals | 0) => {
      try {
        return process.kill(group, name)
      } catch {
        return false
      }
    }
    signal('SIGTERM')
    this.#send('set +e; wait; wait; exit')
    await vi.waitUntil(() => !signal(0), WAIT)
  }
}
