// Sends requests as fast as they are answered, over a fixed number of keep-alive connections.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { hasTools } from '../../scripts/tools.mjs'
import { sendBySockets } from './sockets.mjs'

const script = fileURLToPath(new URL('wrk.lua', import.meta.url))
const paced = fileURLToPath(new URL('paced.mjs', import.meta.url))
const run = promisify(execFile)

export const CONNECTIONS = 64

const MAX_WAIT_S = 10

const hasWrk = hasTools({ wrk: 'wrk' })
export const CLIENT = hasWrk ? 'wrk, one thread' : "sockets of Node (wrk can't be had)"

async function sendByWrk({ port, requests, first, count, seconds }) {
  const settings = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '10s', '-s', script]
  const { path, width } = requests
  const args = [...settings, `http://127.0.0.1:${port}`, '--', path, width, first, count]
  const { stdout } = await run('wrk', args.map(String))
  const { requests: sent, microseconds, ...rest } = JSON.parse(stdout.trim().split('\n').at(-1))
  const inMs = { p50: rest.p50 / 1000, p99: rest.p99 / 1000 }
  return { perSecond: sent / (microseconds / 1e6), answers: sent, ...rest, ...inMs }
}

/** Returns responses per second, and delays in ms. Anything but a good response is an error; slowness is not. */
export async function send(options) {
  for (let { seconds } = options; ; seconds *= 2) {
    const sent = hasWrk
      ? await sendByWrk({ ...options, seconds })
      : await sendBySockets({ ...options, seconds, connections: CONNECTIONS })
    requireGood(sent, options.name)
    if (sent.answers > 0) return sent
    if (seconds > MAX_WAIT_S) throw new Error(`${options.name} answers nothing`)
  }
}

/** Requests that the client at a fixed rate keeps in memory; it repeats them. */
const MAX_PACED_REQUESTS = 20_000

/** Room for the garbage of a whole round, in MB. */
const YOUNG_GENERATION_MB = 512

/** Sends each request when it is due, even if earlier ones were not answered yet. A client that `collects` has the young
 * generation that Node gives it, and collects garbage while it measures. */
export async function sendAtPace({ count, collects = false, ...options }) {
  const sent = { ...options, count: Math.min(count, MAX_PACED_REQUESTS), connections: CONNECTIONS }
  const room = ['min', 'max'].map((end) => `--${end}-semi-space-size=${YOUNG_GENERATION_MB}`)
  const args = ['--expose-gc', ...(collects ? [] : room), paced, JSON.stringify(sent)]
  const { stdout } = await run(process.execPath, args)
  const result = JSON.parse(stdout)
  requireGood(result, options.name)
  return result
}

function requireGood({ failed, refused }, name) {
  if (failed > 0 || refused > 0) {
    throw new Error(`${name}: ${failed} requests failed, ${refused} were not answered with 200`)
  }
}
