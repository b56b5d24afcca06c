import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { TEST_SETTINGS } from '../test-settings.ts'

const COMMAND = fileURLToPath(new URL('../../../bin/gatehouse.mjs', import.meta.url))
const PREPARE = new URL('../../../../../scripts/prepare.mjs', import.meta.url).href

export interface ProcessEnd {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  /** Milliseconds from the start to the exit. */
  took: number
}

/** A real server in its own process. */
export interface ServerProcess {
  readonly pid: number
  readonly stdout: string
  readonly stderr: string
  /** The address in the welcome message; rejects with the output if the process exits before. */
  readonly url: Promise<string>
  /** Milliseconds from the start to the welcome message. */
  readonly startedWithin: Promise<number>
  readonly ended: Promise<ProcessEnd>
  signal(signal: NodeJS.Signals): void
  /** Asks the process to shut down, and waits until it has. */
  stop(): Promise<ProcessEnd>
  /** Kills the process in the middle of whatever it does. */
  kill(): Promise<ProcessEnd>
}

export interface ProcessOptions {
  env: Record<string, string>
  /** The folder in which it is started and looks for `.env`; `/` by default. */
  folder?: string
  /** The program, if it isn't that of this clone. */
  program?: string
}

/** The environment variables of this process, with Gatehouse's own replaced by those of the caller. */
function variables({ env: own, program }: ProcessOptions): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GATEHOUSE_'))
  // Earlier releases don't know these settings.
  const settings = program === undefined ? TEST_SETTINGS : {}
  return { ...Object.fromEntries(inherited), ...settings, GATEHOUSE_PORT: '0', ...own }
}

/** Builds before the time measurement starts: no start is measured, or killed, in the middle of a build. */
function prepareOnce(): Promise<void> {
  prepared ??= import(PREPARE).then(({ prepare }: { prepare(): void }) => prepare())
  return prepared
}

let prepared: Promise<void> | undefined

/** Starts `gatehouse serve`. */
export async function startProcess(options: ProcessOptions): Promise<ServerProcess> {
  await prepareOnce()
  const startedAt = performance.now()
  const child = spawn(process.execPath, [options.program ?? COMMAND, 'serve'], {
    cwd: options.folder ?? '/',
    env: variables(options),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return watch(child, startedAt)
}

/** Measures how many milliseconds the program currently takes to load and do nothing. */
export async function measureLoadTime(): Promise<number> {
  const startedAt = performance.now()
  await once(spawn(process.execPath, [COMMAND, '--help'], { stdio: 'ignore' }), 'exit')
  return performance.now() - startedAt
}

function watch(child: ChildProcess, startedAt: number): ServerProcess {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  const ended = once(child, 'close').then(([code, signal]) => ({
    code,
    signal,
    ...output,
    took: performance.now() - startedAt,
  }))
  const welcomed = readWelcome(child, output, ended, startedAt)
  // Not every test awaits the start.
  welcomed.catch(() => {})
  return {
    pid: child.pid as number,
    get stdout() {
      return output.stdout
    },
    get stderr() {
      return output.stderr
    },
    url: ignoreRejection(welcomed.then(({ url }) => url)),
    startedWithin: ignoreRejection(welcomed.then(({ took }) => took)),
    ended,
    signal: (signal) => child.kill(signal),
    stop: () => killWith(child, 'SIGTERM', ended),
    kill: () => killWith(child, 'SIGKILL', ended),
  }
}

/** Keeps a rejection that nobody awaits yet from being reported as unhandled. */
export function ignoreRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

async function killWith(
  child: ChildProcess,
  signal: NodeJS.Signals,
  ended: Promise<ProcessEnd>,
): Promise<ProcessEnd> {
  child.kill(signal)
  return await ended
}

const ADDRESS = /^ {2}production +(\S+)$/m
/** The end of the welcome message, where the output is no terminal. */
const WELCOME_END = /^Private keys: .*\n\n/m

/** Resolves when the welcome message is complete. On a busy machine, lines of the log come in the same part. */
function readWelcome(
  child: ChildProcess,
  output: { stdout: string; stderr: string },
  ended: Promise<ProcessEnd>,
  startedAt: number,
): Promise<{ url: string; took: number }> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const url = ADDRESS.exec(output.stdout)?.[1]
      if (url && WELCOME_END.test(output.stdout)) {
        resolve({ url, took: performance.now() - startedAt })
      }
    })
    void ended.then(({ code, signal }) => {
      reject(new Error(`ended with ${code ?? signal}:\n${output.stdout}${output.stderr}`))
    })
  })
}
