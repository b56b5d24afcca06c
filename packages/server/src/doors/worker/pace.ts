import type { Millis } from '../../db/tables.ts'

/** With these pauses a mail is tried for about two days. */
export const MOST_ATTEMPTS = 50
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 3600_000

/** Twice as long each time, with some jitter, so that many mails don't all come back at once. */
export function pauseAfter(attempts: number, random = Math.random()): Millis {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS)
  return Math.round(pause * (0.8 + 0.4 * random))
}

/** So many in any one second, however long there was nothing to do before. */
export function createAllowance(perSecond: number, now = () => performance.now()) {
  let used: number[] = []
  return {
    available(): number {
      const before = now() - 1_000
      used = used.filter((at) => at > before)
      return perSecond - used.length
    },
    use(count: number): void {
      used.push(...Array<number>(count).fill(now()))
    },
    /** Milliseconds until there is more. */
    pause(): Millis {
      return Math.max(1, Math.ceil((used[0] ?? 0) + 1_000 - now()))
    },
  }
}

/** Something to wait for that somebody else can end early, even before the wait begins. */
export function createBell() {
  let rung = false
  let wake = () => {}
  return {
    ring(): void {
      rung = true
      wake()
    },
    async wait(milliseconds: Millis): Promise<void> {
      await new Promise<void>((resolve) => {
        if (rung) return resolve()
        const timer = setTimeout(resolve, milliseconds)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      rung = false
    },
  }
}
