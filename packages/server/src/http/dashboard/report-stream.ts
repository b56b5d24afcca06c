import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

type Write = (item: object) => Promise<void>

/** Sends what a long piece of work reports as lines of JSON, while it runs. If the client leaves, the work is told to stop, and
 * the stream ends only when it has: the audit log then has all that was done. */
export function sendReport(
  reply: FastifyReply,
  work: (write: Write, signal: AbortSignal) => Promise<void>,
): Readable {
  reply.type('application/x-ndjson')
  // A proxy that collects the response would hide the progress.
  reply.header('x-accel-buffering', 'no')
  const stop = new AbortController()
  let resume = () => {}
  const out = new Readable({
    read: () => resume(),
    destroy(error, done) {
      stop.abort()
      resume()
      void running.then(() => done(error))
    },
  })
  const write: Write = async (item) => {
    if (stop.signal.aborted || out.push(`${JSON.stringify(item)}\n`)) return
    await new Promise<void>((resolve) => {
      resume = resolve
    })
  }
  const running = work(write, stop.signal).then(
    () => void out.push(null),
    (error: Error) => void out.destroy(error),
  )
  return out
}
