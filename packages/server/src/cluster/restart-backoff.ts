/** A worker that lived this long did not fail at its start. */
const HEALTHY_AFTER_MS = 10_000

const MIN_DELAY_MS = 500
const MAX_DELAY_MS = 30_000

/** How long to wait before a worker is replaced: exponential backoff while it fails soon after its start. Each slot of the
 * worker pool has its own, so that workers that exit together don't wait for one another. */
export function createRestartBackoff() {
  const earlyExits = new Map<number, number>()
  const count = (slot: number) => earlyExits.get(slot) ?? 0
  return {
    recordExit(slot: number, livedMs: number): void {
      earlyExits.set(slot, livedMs < HEALTHY_AFTER_MS ? count(slot) + 1 : 0)
    },
    delayMs(slot: number): number {
      if (count(slot) === 0) return 0
      return Math.min(MIN_DELAY_MS * 2 ** (count(slot) - 1), MAX_DELAY_MS)
    },
  }
}
