/** The gate as middleware of Hono, on every runtime of Hono. */
import type { Decision } from '../gate/decision.ts'
import { CACHE_CONTROL, decisionOf, Site, type SiteOptions } from '../gate/site.ts'
import type { WebResponse } from '../runtime.ts'

export { type Decision, decisionOf }

export interface ContextLike {
  readonly req: {
    readonly method: string
    readonly url: string
    header(name: string): string | undefined
  }
  readonly res: { readonly headers: { has(name: string): boolean } }
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
   * introduction: `decisionOf(c)` has the decision. */
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
  return async (c, next) => {
    const { req } = c
    const visit = { method: req.method, url: req.url, accept: req.header('accept') }
    const decision = await site.decide(c, visit, [c])
    if (decision.granted) {
      await next()
      if (!c.res.headers.has('cache-control')) c.header(...CACHE_CONTROL)
      return undefined
    }
    if (options.denied) return (await options.denied(decision, c, next)) ?? undefined
    const { status, headers, body } = await site.deny(decision, visit, [c])
    return new Response(body, { status, headers })
  }
}
