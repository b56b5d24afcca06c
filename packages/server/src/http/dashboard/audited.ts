import { pipeline, Readable, Transform } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { beginAudit, type Details, endAudit } from '../../domain/staff/audit.ts'
import { Failure } from '../../errors.ts'
import { toFailure } from '../responses.ts'
import { auditedAs } from './caller.ts'
import type { StaffRequest } from './route.ts'

/** No id or name of ours is longer. */
const MAX_NAME = 255

/** Runs the work of an action between the two halves of its audit entry. */
export async function audited(
  action: string,
  { ctx, caller, params, request }: StaffRequest,
  details: Details,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const cut = Object.entries(params).map(([name, text]) => [name, text.slice(0, MAX_NAME)])
  const { environment, aid, ...named } = Object.fromEntries(cut) as Record<string, string>
  const entry = { ...auditedAs(caller), action, environment, aid, params: named }
  const seq = await beginAudit(ctx.control, entry, ctx.environments.production.realTime())
  // The action is already done, so its response is sent even if the end can't be recorded.
  const end = (outcome: string) =>
    endAudit(ctx.control, seq, outcome, details).catch((error: unknown) =>
      request.log.error({ err: error }, 'the end of an audited action could not be kept'),
    )
  try {
    const answer = await work()
    if (answer instanceof Readable) return auditedStream(answer, request, end)
    await end('done')
    return answer
  } catch (error) {
    const failure = error instanceof Failure ? error : toFailure(error, request)
    await end(failure.code)
    throw failure
  }
}

/** A file is done when its last chunk has been read; that is recorded before the client sees the end. A
 * client that stops earlier is recorded as `cut_off`. */
function auditedStream(
  file: Readable,
  request: FastifyRequest,
  end: (outcome: string) => Promise<void>,
): Readable {
  const taken = new Transform({
    transform: (part, _, done) => done(null, part),
    flush: (done) => void end('done').then(() => done()),
  })
  pipeline(file, taken, (error) => {
    if (!error) return
    const isCutOff = error.code === 'ERR_STREAM_PREMATURE_CLOSE'
    void end(isCutOff ? 'cut_off' : toFailure(error, request).code)
  })
  return taken
}
