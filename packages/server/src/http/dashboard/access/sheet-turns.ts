import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../../errors.ts'

/** Reading a file again with other settings takes seconds at most; an import may take minutes. */
const MAX_WAIT_MS = 10_000

/** The file of each application that is read or imported right now: resolves when it is done. */
const running = new Map<string, Promise<void>>()

/** Waits until no other file of the application is read or imported in this process, or refuses after some seconds. Returns
 * the function that lets the next one begin. */
export async function takeSheetTurn(aid: string, maxWaitMs = MAX_WAIT_MS): Promise<() => void> {
  const deadline = performance.now() + maxWaitMs
  for (;;) {
    const other = running.get(aid)
    if (!other) return begin(aid)
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) throw fail('import_running')
    const stop = new AbortController()
    const waited = sleep(leftMs, undefined, { signal: stop.signal }).catch(() => {})
    await Promise.race([other, waited])
    stop.abort()
  }
}

function begin(aid: string): () => void {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  running.set(aid, ended)
  return () => {
    // Called twice, it must not end the turn of the next one.
    if (running.get(aid) === ended) running.delete(aid)
    end()
  }
}
