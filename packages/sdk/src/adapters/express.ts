/** The gate as middleware of Express 4 or 5, and of anything else that has Node's requests and `next`. */
import type { Decision } from '../gate/decision.ts'
import { makePrivate } from '../gate/privacy.ts'
import { decisionOf, Site, type SiteOptions } from '../gate/site.ts'

export { type Decision, decisionOf }

export interface RequestLike {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly originalUrl?: string | undefined
  readonly headers: { readonly accept?: string | undefined }
}

export interface ResponseLike {
  statusCode: number
  getHeader(name: string): unknown
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

declare global {
  namespace Express {
    // Empty here: projects declare their additions to requests, such as `user`, with and without the types of Express.
    interface Request {}
  }
}

/** The parts of an Express request that need none of Express's types. For more, annotate: `(req: Request) => …`. */
export interface ExpressRequest extends RequestLike, Express.Request {
  readonly params: Readonly<Record<string, string | string[]>>
  readonly path: string
  get(name: string): string | undefined
}

export interface ExpressResponse extends ResponseLike {
  status(code: number): this
  send(body?: unknown): unknown
  json(body?: unknown): unknown
  redirect(url: string): void
  redirect(status: number, url: string): void
  render(view: string, values?: object): void
}

export type Next = (error?: unknown) => void

export interface ExpressGateOptions<Req extends RequestLike, Res extends ResponseLike>
  extends SiteOptions<[req: Req]> {
  /** Replaces the response to a reader who is refused. Call `next` to show the page anyway, such as its introduction:
   * `decisionOf(req)` has the decision. The response is private to this reader, unless you set `Cache-Control`. */
  denied?: (decision: Decision, req: Req, res: Res, next: Next) => unknown
}

/** Lets a request pass if its reader has access. */
export function gate<
  Req extends RequestLike = ExpressRequest,
  Res extends ResponseLike = ExpressResponse,
>(options: ExpressGateOptions<Req, Res>): (req: Req, res: Res, next: Next) => void {
  const site = new Site<[Req]>(options)
  async function check(req: Req, res: Res, next: Next): Promise<void> {
    const { method = 'GET', originalUrl, url = '', headers } = req
    const visit = { method, url: originalUrl ?? url, accept: headers.accept }
    const ofResponse = headersOf(res)
    // Before anything else, so that a page about an error is private too.
    makePrivate(ofResponse, false)
    const decision = await site.decide(req, visit, [req])
    if (decision.granted) {
      makePrivate(ofResponse, true)
      return next()
    }
    if (options.denied) {
      await options.denied(decision, req, res, next)
      return
    }
    const denial = await site.deny(decision, visit, [req])
    res.statusCode = denial.status
    for (const [name, value] of Object.entries(denial.headers)) res.setHeader(name, value)
    res.end(denial.body)
  }
  return (req, res, next) => {
    check(req, res, next).catch(next)
  }
}

const headersOf = (res: ResponseLike) => ({
  get: (name: string) => res.getHeader(name),
  set: (name: string, value: string) => res.setHeader(name, value),
})
