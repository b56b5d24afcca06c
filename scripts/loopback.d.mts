import type { ChildProcess } from 'node:child_process'

export function freePort(): Promise<number>
export function until(
  what: string,
  condition: () => Promise<boolean>,
  seconds?: number,
): Promise<void>
export function stop(child: ChildProcess, signal?: NodeJS.Signals): Promise<void>
