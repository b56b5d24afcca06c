import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { run } from '../cli/cli.ts'

const COMMAND = fileURLToPath(new URL('../../bin/gatehouse.mjs', import.meta.url))

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Runs `gatehouse` commands and records everything they print. */
export interface Cli {
  run(...args: string[]): Promise<Outcome>
  /** Returns the JSON that a command prints; throws unless the command succeeds. */
  json<T = Record<string, unknown>>(...args: string[]): Promise<T>
  /** Everything printed so far. */
  printed: string
}

type Execute = (args: readonly string[], env: Record<string, string>) => Promise<Outcome>

function createCli(execute: Execute, env: Record<string, string>): Cli {
  const cli: Cli = {
    printed: '',
    async run(...args) {
      const outcome = await execute(args, env)
      cli.printed += outcome.stdout + outcome.stderr
      return outcome
    },
    async json<T>(...args: string[]) {
      const { code, stdout, stderr } = await cli.run(...args, '--json')
      if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} ended with ${code}: ${stderr}`)
      return JSON.parse(stdout) as T
    },
  }
  return cli
}

/** Runs the real command in a new process each time. `env` holds all of its settings. */
export const spawnedCli = (env: Record<string, string>) => createCli(spawnCommand, env)

/** Runs the real command with a maximum file size of 64 KiB, so that writes fail as on a full disk. */
export const fullDiskCli = (env: Record<string, string>) =>
  createCli((args, own) => spawnCommand(args, own, ['bash', '-c', 'ulimit -f 64; "$0" "$@"']), env)

/** Runs commands in this process, one at a time: about twenty times as fast. */
export const inProcessCli = (env: Record<string, string>) =>
  createCli((args, settings) => serialize(() => runHere(args, settings)), env)

/** The messages that the command prints when changed sources make it build first. */
const BUILD_MESSAGES = /^gatehouse: (building|bundling|installing|waiting for another start).*\n/gm

function spawnCommand(
  args: readonly string[],
  own: Record<string, string>,
  wrapper: readonly string[] = [],
): Promise<Outcome> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GATEHOUSE_'))
  const env = { ...Object.fromEntries(inherited), ...own }
  return new Promise((resolve) => {
    // No `.env` file is expected in this folder.
    const options = { cwd: '/', env, maxBuffer: 64 * 1024 * 1024 }
    const [program, ...rest] = [...wrapper, process.execPath, COMMAND, ...args] as [string]
    execFile(program, rest, options, (error, stdout, stderr) => {
      const code = error ? Number(error.code ?? 1) : 0
      resolve({ code, stdout, stderr: stderr.replace(BUILD_MESSAGES, '') })
    })
  })
}

let last: Promise<unknown> = Promise.resolve()

function serialize<R>(work: () => Promise<R>): Promise<R> {
  const result = last.then(work)
  last = result.catch(() => {})
  return result
}

async function runHere(args: readonly string[], env: Record<string, string>): Promise<Outcome> {
  const outcome: Outcome = { code: 0, stdout: '', stderr: '' }
  const spies = [
    vi.spyOn(process, 'cwd').mockReturnValue('/'),
    ...(['stdout', 'stderr'] as const).map((name) =>
      vi.spyOn(process[name], 'write').mockImplementation((text) => {
        outcome[name] += text
        return true
      }),
    ),
  ]
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  try {
    await run(['node', 'gatehouse', ...args])
  } finally {
    vi.unstubAllEnvs()
    for (const spy of spies) spy.mockRestore()
  }
  outcome.code = Number(process.exitCode ?? 0)
  process.exitCode = 0
  return outcome
}

/** Runs a command in this process that reads this from standard input. */
export async function withInput(text: string, run: () => Promise<Outcome>): Promise<Outcome> {
  const usual = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor
  Object.defineProperty(process, 'stdin', { ...usual, get: () => Readable.from([text]) })
  try {
    return await run()
  } finally {
    Object.defineProperty(process, 'stdin', usual)
  }
}
