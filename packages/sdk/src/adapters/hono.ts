/** The gate as middleware of Hono, on every runtime of Hono. */
import type { Decision } from '../gate/decision.ts'
import type { Visit } from '../gate/denial.ts'
import { makePrivateIfUnset, policyFor, toPrivate } from '../gate/privacy.ts'
import { decisionOf, Site, type SiteOptions } from '../gate/site.ts'
import type { WebResponse } from '../runtime.ts'

export { type Decision, decisionOf }

export interface ContextLike {
  readonly req: {
    readonly method: string
    readonly url: string
    header(name: string): string | undefined
  }
  readonly finalized: boolean
  readonly res: { readonly headers: { get(name: string): string | null } }
  header(name: string, value: string): void
}

/** The context of Hono as far as every application has it. For more, annotate: `(c: Context<Env>) => …`. */
export interface HonoContext extends ContextLike {
  readonly req: ContextLike['req'] & {
    readonly path: string
    param(name: string): string | undefined
    query(name: string): string | undefined
  }
  readonly env: unknown
}

export type Next = () => Promise<void>

export interface HonoGateOptions<Ctx extends ContextLike> extends SiteOptions<[c: Ctx]> {
  /** Replaces the response to a reader who is refused. Return `next()` to show the page anyway, such as its
   * introduction: `decisionOf(c)` has the decision. The response is private to this reader, unless you set
   * `Cache-Control`. */
  denied?: (
    decision: Decision,
    c: Ctx,
    next: Next,
  ) => WebResponse | undefined | Promise<WebResponse | undefined> | Promise<void>
}

/** Lets a request pass if its reader has access. */
export function gate<Ctx extends ContextLike = HonoContext>(
  options: HonoGateOptions<Ctx>,
): (c: Ctx, next: Next) => Promise<WebResponse | undefined> {
  const site = new Site<[Ctx]>(options)
  async function refuse(decision: Decision, c: Ctx, visit: Visit, next: Next) {
    if (options.denied) return (await options.denied(decision, c, next)) ?? undefined
    const { status, headers, body } = await site.deny(decision, visit, [c])
    return new Response(body, { status, headers })
  }
  return async (c, next) => {
    const { req } = c
    const visit = { method: req.method, url: req.url, accept: req.header('accept') }
    // Before anything else, so that a page about an error is private too.
    c.header('Cache-Control', policyFor(false))
    const decision = await site.decide(c, visit, [c])
    if (decision.granted) {
      c.header('Cache-Control', policyFor(true))
      await next()
    } else {
      const refusal = await refuse(decision, c, visit, next)
      // What `next` resolves to is no response; the context has that then.
      if (refusal && !c.finalized) return toPrivate(refusal, false)
    }
    // A handler may have made its response without the headers of the context.
    makePrivateIfUnset(headersOf(c), decision.granted)
    return undefined
  }
}

const headersOf = (c: ContextLike) => ({
  get: (name: string) => c.res.headers.get(name),
  set: (name: string, value: string) => c.header(name, value),
})
