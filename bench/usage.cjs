// Preloaded into a command that is measured: writes what it has used to the file of BENCH_USAGE.
const { writeFileSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

const path = process.env.BENCH_USAGE
if (path && isMainThread) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
    const usage = { processor: (userCPUTime + systemCPUTime) / 1e6, memory: (maxRSS * 1024) / 1e6 }
    writeFileSync(path, JSON.stringify(usage))
  })
}
