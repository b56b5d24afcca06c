// Preloaded into a server whose event loop is watched. SIGUSR2 prints its longest pause since the last time, as a line of JSON.
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const EVERY_MS = 5

/** How long this thread waited for a processor so far. Other programs on the machine cause that, not what the thread does. */
const waitedMs = () =>
  Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1_000_000

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: EVERY_MS })
  delay.enable()
  let own = 0
  let last = { at: performance.now(), waited: waitedMs() }
  setInterval(() => {
    const now = { at: performance.now(), waited: waitedMs() }
    own = Math.max(own, now.at - last.at - EVERY_MS - (now.waited - last.waited))
    last = now
  }, EVERY_MS).unref()
  process.on('SIGUSR2', () => {
    const whole = delay.max / 1_000_000 - EVERY_MS
    process.stdout.write(`${JSON.stringify({ pauses: { own, whole } })}\n`)
    own = 0
    delay.reset()
  })
}
