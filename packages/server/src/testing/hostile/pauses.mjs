// Preloaded into a server whose event loop is watched. SIGUSR2 prints its longest pause since the last time, as a line of JSON.
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const EVERY_MS = 5

/** How long this thread had a processor so far. Unlike time, it doesn't depend on what else the machine does. */
const processorMs = () =>
  Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1_000_000

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: EVERY_MS })
  delay.enable()
  let processor = 0
  let last = processorMs()
  setInterval(() => {
    const now = processorMs()
    processor = Math.max(processor, now - last)
    last = now
  }, EVERY_MS).unref()
  process.on('SIGUSR2', () => {
    const whole = delay.max / 1_000_000 - EVERY_MS
    process.stdout.write(`${JSON.stringify({ pauses: { processor, whole } })}\n`)
    processor = 0
    delay.reset()
  })
}
