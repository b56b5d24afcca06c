import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { GatehouseError } from '../errors.ts'

export interface ServiceProcess {
  readonly url: string
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Sends the signal, and waits until the process has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** Starts a service; resolves when its welcome message says where it is. */
export async function spawnService(
  command: readonly string[],
  env: Record<string, string>,
): Promise<ServiceProcess> {
  const [program = '', ...args] = command
  // In a folder of its own, so that no .env file of the project is read.
  const child = spawn(program, args, { env, cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] })
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)
  const ended = once(child, 'close').finally(() => process.off('exit', killAtExit))
  // A command that can't be started is reported by readAddress.
  ended.catch(() => {})
  return {
    url: await readAddress(child),
    signal: (signal) => {
      child.kill(signal)
    },
    async end(signal) {
      child.kill(signal)
      await ended
    },
  }
}

const ADDRESS = /^ {2}production +(\S+)$/m

/** Reads the address from the welcome message, which ends with an empty line. */
function readAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (text: string) => {
      output += text
      const url = ADDRESS.exec(output)?.[1]
      if (url && output.endsWith('\n\n')) resolve(url)
    }
    child.stdout?.setEncoding('utf8').on('data', read)
    child.stderr?.setEncoding('utf8').on('data', read)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      reject(new GatehouseError(`Gatehouse ended with ${code ?? signal}:\n${output}`))
    })
  })
}
