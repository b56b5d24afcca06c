/** The gate around a handler that takes a `Request` and returns a `Response`: Cloudflare Workers, Deno, Bun, and others. */
import type { Decision } from '../gate/decision.ts'
import { toPrivate } from '../gate/privacy.ts'
import { decisionOf, Site, type SiteOptions } from '../gate/site.ts'
import type { GlobalRequest, WebRequest, WebResponse } from '../runtime.ts'

export { type Decision, decisionOf }

type Awaitable<Value> = Value | Promise<Value>

export interface WorkerGateOptions<Args extends readonly unknown[]> extends SiteOptions<Args> {
  /** Replaces the response to a reader who is refused. Return nothing to let the handler answer anyway, such as with the
   * introduction: `decisionOf(request)` has the decision. The response is private to this reader, unless you set
   * `Cache-Control`. */
  denied?: (decision: Decision, ...args: Args) => Awaitable<WebResponse | undefined>
}

/** Takes the request, and whatever else the runtime passes. Declared as a method, so that a handler may ask for a more
 * special request, as those of Next.js do. */
export type Handler = {
  handle(request: GlobalRequest, ...rest: never[]): Awaitable<WebResponse>
}['handle']

/** The parameters that the handler declares; a request if it declares none. */
export type ArgsOf<H extends Handler> =
  Parameters<H> extends [] ? [request: GlobalRequest] : Parameters<H>

/** Calls the handler if the reader has access. */
export function gate<H extends Handler>(
  options: WorkerGateOptions<ArgsOf<H>>,
  handler: H,
): (...args: ArgsOf<H>) => Promise<WebResponse> {
  const refuse = createCheck(options)
  const answer = handler as unknown as (...args: ArgsOf<H>) => Awaitable<WebResponse>
  // The first parameter is named, because Deno passes no request to a function that declares none.
  async function check(request: WebRequest, ...rest: unknown[]): Promise<WebResponse> {
    const args = [request, ...rest] as unknown as ArgsOf<H>
    const response = (await refuse(args)) ?? (await answer(...args))
    return toPrivate(response, decisionOf(request)?.granted === true)
  }
  return check as unknown as (...args: ArgsOf<H>) => Promise<WebResponse>
}

const requestIn = (args: readonly unknown[]) => args[0] as WebRequest

/** Returns the response to a reader who is refused, or undefined if the request may pass. */
function createCheck<Args extends readonly unknown[]>(
  options: WorkerGateOptions<Args>,
): (args: Args) => Promise<WebResponse | undefined> {
  const site = new Site<Args>(options)
  return async (args) => {
    const request = requestIn(args)
    const { method, url, headers } = request
    const visit = { method, url, accept: headers.get('accept') }
    const decision = await site.decide(request, visit, args)
    if (decision.granted) return undefined
    if (options.denied) return await options.denied(decision, ...args)
    const denial = await site.deny(decision, visit, args)
    return new Response(denial.body, denial)
  }
}
