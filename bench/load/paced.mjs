// Sends at a fixed rate in a process of its own, whose young generation is so large that nothing is collected while it
// measures: `node paced.mjs OPTIONS` with options for `sendBySockets`. Prints the result as JSON.
import { PerformanceObserver } from 'node:perf_hooks'
import { sendBySockets } from './sockets.mjs'

let collections = 0
const observer = new PerformanceObserver((list) => {
  collections += list.getEntries().length
})
const result = await sendBySockets(JSON.parse(process.argv[2]), () => {
  globalThis.gc()
  observer.observe({ entryTypes: ['gc'] })
})
console.log(JSON.stringify({ ...result, collections }))
process.exit(0)
