/** The gate as a hook of Fastify, for `preHandler`. */
import type { Decision } from '../gate/decision.ts'
import { makePrivate } from '../gate/privacy.ts'
import { decisionOf, Site, type SiteOptions } from '../gate/site.ts'

export { type Decision, decisionOf }

export interface RequestLike {
  readonly method: string
  readonly url: string
  readonly headers: { readonly accept?: string | undefined }
}

export interface ReplyLike {
  code(status: number): unknown
  header(name: string, value: string): unknown
  getHeader(name: string): unknown
  send(body: string): unknown
}

export interface FastifyGateOptions<Req extends RequestLike, Reply extends ReplyLike>
  extends SiteOptions<[request: Req]> {
  /** Replaces the response to a reader who is refused. Send one, or send none to show the page anyway, such as its
   * introduction: `decisionOf(request)` has the decision. The response is private to this reader, unless you set
   * `Cache-Control`. */
  denied?: (decision: Decision, request: Req, reply: Reply) => unknown
}

/** Lets a request pass if its reader has access. */
export function gate<Req extends RequestLike, Reply extends ReplyLike>(
  options: FastifyGateOptions<Req, Reply>,
): (request: Req, reply: Reply) => Promise<unknown> {
  const site = new Site<[Req]>(options)
  return async (request, reply) => {
    const { method, url, headers } = request
    const visit = { method, url, accept: headers.accept }
    const ofReply = headersOf(reply)
    // Before anything else, so that a page about an error is private too.
    makePrivate(ofReply, false)
    const decision = await site.decide(request, visit, [request])
    if (decision.granted) {
      makePrivate(ofReply, true)
      return undefined
    }
    if (options.denied) return await options.denied(decision, request, reply)
    const denial = await site.deny(decision, visit, [request])
    reply.code(denial.status)
    for (const [name, value] of Object.entries(denial.headers)) reply.header(name, value)
    reply.send(denial.body)
    // Fastify waits for the response if the hook returns the reply.
    return reply
  }
}

const headersOf = (reply: ReplyLike) => ({
  get: (name: string) => reply.getHeader(name),
  set: (name: string, value: string) => reply.header(name, value),
})
