import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('../../bin/gatehouse.mjs', import.meta.url))

export interface Outcome {
  code: number
  stdout: string
  /** Without what a build says that a change of the sources called for. */
  stderr: string
}

/** Runs real `gatehouse` commands and remembers all that they print. */
export interface CommandLine {
  run(...args: string[]): Promise<Outcome>
  /** The JSON that a command prints; fails unless it ends well. */
  json<T = Record<string, unknown>>(...args: string[]): Promise<T>
  /** Everything that was printed so far. */
  printed: string
}

const BUILDING = /^gatehouse: (building|installing|waiting for another start).*\n/gm

/** `env` are the settings; nothing else is inherited that could be one. */
export function commandLine(env: Record<string, string>): CommandLine {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GATEHOUSE_'))
  const variables = { ...Object.fromEntries(inherited), ...env }
  const line: CommandLine = {
    printed: '',
    async run(...args) {
      const outcome = await execute(args, variables)
      line.printed += outcome.stdout + outcome.stderr
      return outcome
    },
    async json<T>(...args: string[]) {
      const { code, stdout, stderr } = await line.run(...args, '--json')
      if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} ended with ${code}: ${stderr}`)
      return JSON.parse(stdout) as T
    },
  }
  return line
}

function execute(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  return new Promise((resolve) => {
    // Not where a .env file may lie.
    const options = { cwd: '/', env, maxBuffer: 64 * 1024 * 1024 }
    execFile(process.execPath, [COMMAND, ...args], options, (error, stdout, stderr) => {
      const code = error ? Number(error.code ?? 1) : 0
      resolve({ code, stdout, stderr: stderr.replace(BUILDING, '') })
    })
  })
}
