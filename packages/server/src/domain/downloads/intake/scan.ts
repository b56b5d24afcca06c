import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fail } from '../../../errors.ts'

/** A program of the operator's that says whether a file is harmful. */
export interface ScanSettings {
  /** The program and its arguments. The path of the file is added as the last one. */
  command: readonly [program: string, ...args: string[]]
  /** How long it may take. */
  seconds: number
}

const CLEAN = 0
const HARMFUL = 1

/** Lets the scanner look at a file. Throws unless it says that the file is clean. */
export async function scanFile({ command, seconds }: ScanSettings, path: string): Promise<void> {
  const outcome = await run(command, path, seconds * 1000)
  if (outcome === CLEAN) return
  if (outcome === HARMFUL) throw fail('file_harmful')
  throw fail('scan_failed', `The file was not stored, because it could not be scanned: ${outcome}.`)
}

/** Runs the command without a shell. Returns whether the file is clean, or why that is not known. */
async function run(
  [program, ...args]: ScanSettings['command'],
  path: string,
  timeoutMs: number,
): Promise<typeof CLEAN | typeof HARMFUL | string> {
  // Only what a program needs to run: the service's own variables have keys and passwords.
  const { PATH, HOME, LANG, TZ } = process.env
  const child = spawn(program, [...args, path], {
    stdio: 'ignore',
    env: { PATH, HOME, LANG, TZ },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    if (code === CLEAN || code === HARMFUL) return code
    if (signal === 'SIGKILL') return `the scanner took longer than ${timeoutMs / 1000} seconds`
    return `the scanner ended with ${code ?? signal}`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? 'the scanner was not found' : `the scanner can't be run (${code})`
  }
}
