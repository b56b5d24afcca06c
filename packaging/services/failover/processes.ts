import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Account {
  uid: number
  gid: number
}

/** Starts a program whose output goes to a file, so that nothing is lost when it is killed. */
export function startProgram(
  command: string,
  args: readonly string[],
  log: string,
  account: Account | undefined,
): ChildProcess {
  const file = openSync(log, 'a')
  // Settings of another Patroni on this machine would apply here too.
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith('PATRONI_'))
  const child = spawn(command, args, {
    ...account,
    env: { ...Object.fromEntries(env), LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', file, file],
  })
  closeSync(file)
  return child
}

/** Kills a PostgreSQL server and all of its processes at once: no connection can still be answered. */
export async function killServer(postmaster: number): Promise<void> {
  // A stopped postmaster starts no more processes, and can't clean up after those that die.
  process.kill(postmaster, 'SIGSTOP')
  for (const pid of [postmaster, ...childrenOf(postmaster)]) killNow(pid)
  while (isRunning(postmaster)) await sleep(5)
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The process of the server in this folder; undefined if none runs. */
export function findPostmaster(data: string): number | undefined {
  const pid = Number(readOrEmpty(`${data}/postmaster.pid`).split('\n')[0])
  const isIt = pid > 0 && isRunning(pid) && readOrEmpty(`/proc/${pid}/cmdline`).includes(data)
  return isIt ? pid : undefined
}

/** The state and the parent of a process, from the fields after its name, which may contain anything. */
function statusOf(pid: number): { state: string; parent: number } | undefined {
  const fields = readOrEmpty(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')
  return fields && fields.length > 1
    ? { state: fields[0] as string, parent: Number(fields[1]) }
    : undefined
}

/** A killed process whose parent has not noticed yet still has a number, but no files and no connections. */
const isRunning = (pid: number) => !['Z', 'X', undefined].includes(statusOf(pid)?.state)

function childrenOf(pid: number): number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return all.filter((one) => statusOf(one)?.parent === pid)
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
