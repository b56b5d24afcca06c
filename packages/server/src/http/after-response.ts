import type { FastifyInstance, FastifyReply } from 'fastify'

/** Runs work once the response to a request was sent, so that its time tells nothing about the work. */
export type AfterResponse = (reply: FastifyReply, work: () => Promise<unknown>) => void

/** The server waits for such work before it closes. */
export function createAfterResponse(app: FastifyInstance): AfterResponse {
  const running = new Set<Promise<unknown>>()
  app.addHook('onClose', async () => {
    while (running.size > 0) await Promise.all(running)
  })
  return ({ raw, log }, work) => {
    const done = new Promise<void>((resolve) => raw.once('close', resolve))
      .then(work)
      .catch((error: unknown) => log.error({ err: error }, 'what a refusal leaves behind was lost'))
      .finally(() => running.delete(done))
    running.add(done)
  }
}
