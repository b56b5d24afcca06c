import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'

const MB = 1e6

function statusOf(pid: number, name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )
  return (Number(line?.[1]) * 1024) / MB
}

/** The resources of a process, as the kernel reports them. */
export interface ProcessWatch {
  /** Current memory in megabytes. */
  memory(): number
  /** Peak memory since the last call, in megabytes. */
  peak(): number
  /** Returns how often each file is open. Connections are counted together. */
  open(): ReadonlyMap<string, number>
}

export function watchProcess(pid: number): ProcessWatch {
  const links = () =>
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)]
      } catch {
        // The descriptor was closed in the meantime.
        return []
      }
    })
  return {
    memory: () => statusOf(pid, 'VmRSS'),
    peak() {
      const most = statusOf(pid, 'VmHWM')
      // Writing 5 resets the peak.
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

/** Lists what is open more often than before. */
export function leaksSince(before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>) {
  return [...now]
    .map(([kind, count]) => [kind, count - (before.get(kind) ?? 0)] as const)
    .filter(([, more]) => more > 0)
}
