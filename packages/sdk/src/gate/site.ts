import type { Decision } from './decision.ts'
import { type Denial, denialOf, isReturn, type Visit } from './denial.ts'
import { Gate, type PurchaseTerms, type UserRef } from './gate.ts'
import { checkGateOptions, type GateOptions } from './gate-options.ts'

type Awaitable<Value> = Value | Promise<Value>

/** The options that all adapters have. `Args` is what the framework passes to a handler. */
export interface SiteOptions<Args extends readonly unknown[]> extends GateOptions {
  /** Your own id of the reader who is signed in; nothing if nobody is. */
  userRef: (...args: Args) => Awaitable<UserRef>
  /** The resource that is asked for. */
  rid: string | ((...args: Args) => Awaitable<string>)
  /** Returns the terms of the purchase link: `return_url`, so that the buyer comes back, `email` if you have verified
   * it, or a price. */
  purchase?: (...args: Args) => Awaitable<PurchaseTerms>
  /** Where a browser is sent if nobody is signed in. */
  signInUrl?: string | ((...args: Args) => Awaitable<string>)
}

/** Decides about requests, for an adapter. */
export class Site<Args extends readonly unknown[]> {
  readonly #gate: Gate
  readonly #options: SiteOptions<Args>

  constructor(options: SiteOptions<Args>) {
    checkGateOptions(options, ['userRef', 'rid'])
    this.#gate = new Gate(options)
    this.#options = options
  }

  /** Decides, and remembers the decision under the request for `decisionOf`. */
  async decide(request: object, visit: Visit, args: Args): Promise<Decision> {
    const { userRef, rid, purchase } = this.#options
    const decision = await this.#gate.decide({
      userRef: await userRef(...args),
      rid: typeof rid === 'string' ? rid : await rid(...args),
      purchase: await purchase?.(...args),
      isFresh: isReturn(visit),
    })
    decisions.set(request, decision)
    return decision
  }

  async deny(decision: Decision, visit: Visit, args: Args): Promise<Denial> {
    const { signInUrl } = this.#options
    const target = typeof signInUrl === 'function' ? await signInUrl(...args) : signInUrl
    return denialOf(decision, visit, target)
  }
}

const decisions = new WeakMap<object, Decision>()

/** The decision that the gate made about this request; undefined if there was no gate. */
export const decisionOf = (request: object): Decision | undefined => decisions.get(request)
