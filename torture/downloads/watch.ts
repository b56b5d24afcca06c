import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'

const MB = 1e6

function statusOf(pid: number, name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )
  return (Number(line?.[1]) * 1024) / MB
}

/** What a process of this machine holds, as the kernel sees it. */
export interface ProcessWatch {
  /** Megabytes of memory now. */
  memory(): number
  /** The most since the last time that this was asked. */
  peak(): number
  /** What is open: how many connections, and how often each file. */
  open(): ReadonlyMap<string, number>
}

export function watchProcess(pid: number): ProcessWatch {
  const links = () =>
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)]
      } catch {
        // Closed meanwhile.
        return []
      }
    })
  return {
    memory: () => statusOf(pid, 'VmRSS'),
    peak() {
      const most = statusOf(pid, 'VmHWM')
      // The kernel's word for "from now on".
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
      return most
    },
    open() {
      const counts = new Map<string, number>()
      for (const link of links()) {
        const kind = link.replace(/:\[\d+\]$/, '')
        counts.set(kind, (counts.get(kind) ?? 0) + 1)
      }
      return counts
    },
  }
}

/** What is open more often than before. */
export function leaksSince(before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>) {
  return [...now]
    .map(([kind, count]) => [kind, count - (before.get(kind) ?? 0)] as const)
    .filter(([, more]) => more > 0)
}
