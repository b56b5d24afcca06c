import type { FetchInit, FetchResponse } from '../runtime.ts'
import type { AccessCheck, AccessDetails, Offer } from '../types.ts'

/** A request that the fake got. */
export interface FakeCall {
  method: string
  /** Such as `/r2/access/check`. */
  path: string
  parameters: Readonly<Record<string, string>>
}

/** `up` answers. `down` refuses connections. `hanging` takes requests and never answers. `failing` answers with 503. */
export type FakeState = 'up' | 'down' | 'hanging' | 'failing'

/** Answers in place of the service, from memory. */
export class FakeService {
  state: FakeState = 'up'
  readonly calls: FakeCall[] = []
  readonly offers = new Map<string, Offer[]>()
  readonly #checks = new Map<string, Map<string, AccessCheck>>()
  /** In seconds. */
  readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  readonly fetch = async (url: string, init: FetchInit): Promise<FetchResponse> => {
    const call = readCall(url, init)
    this.calls.push(call)
    if (this.state === 'down') throw new TypeError('fetch failed')
    if (this.state === 'hanging') await untilAborted(init.signal as AbortSignal)
    if (this.state === 'failing') return failure(503, 'unavailable', 'The fake is failing.')
    return this.#answer(call)
  }

  set(userRef: string, check: AccessCheck): void {
    const own = this.#checks.get(userRef) ?? new Map<string, AccessCheck>()
    this.#checks.set(userRef, own.set(check.rid, check))
  }

  check(userRef: string, rid: string): AccessCheck {
    const own = this.#checks.get(userRef)
    const known = own?.get(rid)
    const offers = this.offers.get(rid) ?? []
    if (known === undefined) {
      return refusal(rid, own ? 'never_granted' : 'user_unknown', offers)
    }
    if (!known.granted) return { ...known, offers: known.offers.length > 0 ? known.offers : offers }
    const hasEnded = known.until !== undefined && known.until <= this.now()
    return hasEnded ? { ...refusal(rid, 'expired', offers), since: known.until as number } : known
  }

  #answer({ method, path, parameters }: FakeCall): FetchResponse {
    const { user_ref = '', rid = '', rids = '' } = parameters
    switch (`${method} ${path}`) {
      case 'GET /r2/access':
        return this.#record(this.check(user_ref, rid), user_ref)
      case 'GET /r2/access/check':
      case 'POST /r2/access/check': {
        const checks = rids.split(' ').map((one) => this.check(user_ref, one))
        return success({ now: this.now(), user_ref, checks })
      }
      case 'POST /r2/access/grant':
        return this.#grant(parameters)
      case 'POST /r2/access/revoke':
        return this.#revoke(user_ref, rid)
      default:
        return failure(501, 'not_faked', `The fake does not answer ${method} ${path}.`)
    }
  }

  #record(check: AccessCheck, userRef: string): FetchResponse {
    if (!check.granted) return failure(404, 'access_not_found', 'No such access.')
    return success(accessRecord(check, userRef, this.now()))
  }

  #grant(parameters: FakeCall['parameters']): FetchResponse {
    const { rid = '', email = '', user_ref = email, expiration, expires = expiration } = parameters
    const until = expires === undefined ? {} : { until: Number(expires) }
    this.set(user_ref, allowance(rid, until))
    return this.#record(this.check(user_ref, rid), user_ref)
  }

  #revoke(userRef: string, rid: string): FetchResponse {
    const check = this.check(userRef, rid)
    if (!check.granted) return failure(404, 'access_not_found', 'No such access.')
    this.set(userRef, { ...refusal(rid, 'revoked', []), since: this.now() })
    const record = accessRecord(check, userRef, this.now())
    return success({ ...record, revoked: true, refund: null, refunds: [] })
  }
}

export const allowance = (rid: string, more: Partial<AccessCheck> = {}): AccessCheck => ({
  ...{ rid, granted: true, code: 'granted', sources: [], offers: [], access_id: `access-${rid}` },
  ...(more.until === undefined ? {} : { next_change: more.until }),
  ...more,
})

export const refusal = (
  rid: string,
  code: AccessCheck['code'],
  offers: readonly Offer[],
): AccessCheck => ({ rid, granted: false, code, sources: [], offers: [...offers] })

const accessRecord = ({ rid, until }: AccessCheck, userRef: string, now: number): AccessDetails =>
  ({
    id: `access-${rid}`,
    rid,
    uid: `uid-${userRef}`,
    user_ref: userRef,
    user_email: userRef,
    contact_email: '',
    created: now,
    expires: until ?? null,
    tags: [],
  }) as unknown as AccessDetails

function readCall(url: string, { method, body = '' }: FetchInit): FakeCall {
  const { pathname, search } = new URL(url)
  const parameters = Object.fromEntries(new URLSearchParams(body === '' ? search : body))
  return { method, path: pathname, parameters }
}

/** Rejects as `fetch` does when the signal ends it. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })

const success = (body: unknown): FetchResponse => Response.json(body)

const failure = (status: number, code: string, message: string): FetchResponse =>
  Response.json({ error: { code, message, request_id: 'fake' } }, { status })
