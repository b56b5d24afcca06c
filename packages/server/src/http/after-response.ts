import { randomInt } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Runs work some time after the response to a request was sent, so that neither its time nor that of the next request
 * tells whether there was any. */
export type AfterResponse = (reply: FastifyReply, work: () => Promise<unknown>) => void

/** How long the work waits: a random time, much longer than the work takes. */
const MIN_PAUSE_MS = 200
const MAX_PAUSE_MS = 1_000

/** A server that is closed does such work at once. */
export function createAfterResponse(app: FastifyInstance): AfterResponse {
  const running = new Set<Promise<unknown>>()
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const pause = () =>
    sleep(randomInt(MIN_PAUSE_MS, MAX_PAUSE_MS), undefined, {
      signal: closing.signal,
      ref: false,
    }).catch(() => {})
  app.addHook('onClose', async () => {
    closing.abort()
    while (running.size > 0) await Promise.all(running)
  })
  return ({ raw, log }, work) => {
    const done = new Promise<void>((resolve) => raw.once('close', resolve))
      .then(pause)
      .then(work)
      .catch((error: unknown) => log.error({ err: error }, 'what a refusal leaves behind was lost'))
      .finally(() => running.delete(done))
    running.add(done)
  }
}
