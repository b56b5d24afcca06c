// Simulates a disk that takes 5 ms longer to flush, for one program at a time, with an LD_PRELOAD library.
import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requireTools } from '../scripts/tools.mjs'
import { median } from './statistics.mjs'

const source = fileURLToPath(new URL('slow-flush.c', import.meta.url))

const TRIAL = `
  const fs = require('node:fs')
  const file = fs.openSync(process.argv[1], 'w')
  const took = Array.from({ length: 21 }, () => {
    fs.writeSync(file, 'x')
    const began = performance.now()
    fs.fdatasyncSync(file)
    return performance.now() - began
  })
  console.log(JSON.stringify(took))`

function timesOfFlush(folder, env) {
  const args = ['-e', TRIAL, join(folder, 'flush-trial')]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', env }))
}

/** Builds the library, and checks that it works: returns how long a flush takes with and without it, in ms. */
export function makeSlowFlush(folder) {
  requireTools({ gcc: 'gcc' })
  const library = join(folder, 'slow-flush.so')
  execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'])
  // PostgreSQL runs as another user.
  chmodSync(library, 0o755)
  const asItIs = timesOfFlush(folder, process.env)
  const slowed = timesOfFlush(folder, { ...process.env, LD_PRELOAD: library })
  if (Math.min(...slowed) < 5) throw new Error(`a slowed flush took ${Math.min(...slowed)} ms`)
  return { library, asItIs: median(asItIs), slowed: median(slowed) }
}
