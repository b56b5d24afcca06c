import { encodeParameters, type ParameterValue } from '@gatehouse/sdk/signing'
import { archiveApplication } from '../../domain/apps/applications.ts'
import { hasPendingOrders } from '../../domain/payments/orders/orders.ts'
import { runDuePayments } from '../../domain/payments/orders/payment-loop.ts'
import { findNextDueTime } from '../../domain/payments/renewals/renewals.ts'
import { beginSession } from '../../domain/staff/sessions.ts'
import { addStaff } from '../../domain/staff/staff.ts'
import { newId } from '../../ids.ts'
import { authorization } from '../http/requests.ts'
import type { FakeCall, Fault } from '../stripe/fake-stripe.ts'
import { isIgnored, ModelFailure, requireThat } from './failure.ts'
import type { Hook } from './hooks.ts'
import { KeyedWrites } from './keyed-writes.ts'
import type { ReaderLink } from './reader-links.ts'
import { DAY, openShop, type Price, type Shop } from './shop.ts'
import { syncModel } from './sync-model.ts'
import type { HttpRequest, HttpResponse } from './systems/http-client.ts'
import type { TestSystem } from './systems/test-system.ts'

/** A checkout that somebody has started. */
export interface CheckoutAttempt {
  label: string
  shop: Shop
  price: Price
  ref: string | undefined
  email: string | undefined
  typed: string | undefined
  link: string
  /** The id of our checkout, and that of the provider's page. */
  id: string
  session: string
  /** Whether its buyer was erased while it was open: `sure` if a reference or vouched email says so. */
  erased: 'no' | 'maybe' | 'sure'
}

interface Snapshot {
  file: string
  shops: Pick<Shop, 'privateKey' | 'reference' | 'isArchived'>[]
  learned: Set<string>
}

/** In seconds: longer than the backoff after a failed call to the provider. */
const FIRST_PAUSE = 30

interface CallOptions {
  /** Bypasses the fast path. */
  byRoute?: boolean
}

/** The state of one history while it is played. */
export class World {
  readonly system: TestSystem
  readonly shops: Readonly<Record<string, Shop>>
  readonly uids = new Map<string, string>()
  readonly checkouts = new Map<string, CheckoutAttempt>()
  readonly backups = new Map<string, Snapshot>()
  /** The webhook endpoints that staff have made, by label. */
  readonly hooks = new Map<string, Hook>()
  /** The latest links that readers got. */
  links: ReaderLink[] = []
  /** Checkouts and payments whose outcome the model knows. */
  learned = new Set<string>()
  /** The status and end of each subscription, as last seen. */
  subscriptions = new Map<string, { status: string; paidUntil: number }>()
  faults: Fault[] = []
  readonly writes = new KeyedWrites()
  /** Whether the provider has failed since the operation began. */
  hasFailed = false
  wasRestored = false
  /** Whether a request of the operation was sent twice, so that its response may be that of a repeat. */
  wasCut = false
  #session: { headers: Record<string, string>; until: number; url: string } | undefined
  readonly #handled = new Set<string>()

  private constructor(system: TestSystem, shops: Record<string, Shop>) {
    this.system = system
    this.shops = shops
    system.fake.fault = (call) => (this.#isOwn(call) ? this.#nextFault() : undefined)
    for (const { id } of system.fake.events) this.#handled.add(id)
    system.receiver.received.length = 0
  }

  static async open(system: TestSystem): Promise<World> {
    return new World(system, { a: await openShop(system, 'a'), b: await openShop(system, 'b') })
  }

  get now(): number {
    return this.system.now
  }

  shop(name: string | undefined): Shop {
    return this.shops[name ?? 'a'] as Shop
  }

  /** Resolves `@label` to its uid; undefined if it does not exist in this history. */
  text(value: string | undefined): string | undefined {
    const uid = value?.startsWith('@') ? this.uids.get(value.slice(1)) : undefined
    if (uid === undefined) return value?.startsWith('@') ? undefined : value
    // If their names are not judged, merged and erased users are left alone.
    const isLeftOut = isIgnored('aliases') && !isIgnored('reference')
    const isJudged =
      !isLeftOut ||
      Object.values(this.shops).every(({ reference }) => reference.oracleOf(uid) !== 'aliases')
    return isJudged ? uid : undefined
  }

  /** Earlier histories are still in the service's database: their calls must not get this history's faults. */
  #isOwn({ id, text }: FakeCall): boolean {
    const { sessions, intents } = this.system.fake.ledger
    const named = new URLSearchParams(text)
    const about =
      sessions.get(id) ?? intents.get(id) ?? intents.get(named.get('payment_intent') ?? '')
    const aid = about?.metadata.gatehouse_aid ?? named.get('metadata[gatehouse_aid]')
    return Object.values(this.shops).some((shop) => shop.aid === aid)
  }

  #nextFault(): Fault | undefined {
    const fault = this.faults.shift()
    if (fault !== undefined) this.hasFailed = true
    return fault
  }

  /** Sends every request of this history to the service. */
  async send(what: string, address: string, message: HttpRequest = {}): Promise<HttpResponse> {
    const response = await this.#deliver(address, message)
    const isOur = response.status === 500 || (response.status > 500 && !this.hasFailed)
    requireThat(!isOur, 'status', `${what} answered ${response.status}`, () =>
      response.text.slice(0, 400),
    )
    return response
  }

  /** If a server was killed during the request, sends it again to another one. */
  async #deliver(address: string, message: HttpRequest): Promise<HttpResponse> {
    for (let at = address; ; ) {
      try {
        return await this.system.http.send(at, message)
      } catch (error) {
        const other = await this.system.elsewhere(at)
        if (other === undefined) throw error
        this.wasCut = true
        at = other
      }
    }
  }

  /** Sends a signed API request. */
  async call(
    shop: Shop,
    method: string,
    path: string,
    parameters: Readonly<Record<string, ParameterValue | undefined>> = {},
    { byRoute = false }: CallOptions = {},
  ): Promise<HttpResponse & { body: Record<string, unknown> }> {
    const named = Object.entries(parameters).filter(([, value]) => value !== undefined)
    const given = this.writes.addKey(
      path,
      Object.fromEntries(named) as Record<string, ParameterValue>,
    )
    const query = encodeParameters(given)
    const target = query === '' ? path : `${path}?${query}`
    const headers = {
      authorization: authorization(shop, method, target),
      // The fast path leaves every request that announces a body to the route.
      ...(byRoute || method === 'POST' ? { 'content-length': 0 } : {}),
    }
    const what = `${method} ${path.startsWith('/r2/user/') ? '/r2/user/:uid' : path}`
    const response = await this.send(what, this.system.url + target, { method, headers })
    this.writes.add(shop, path, given, response)
    const answer = JSON.parse(response.text) as Record<string, unknown>
    shop.shown.note(answer)
    return { ...response, body: answer }
  }

  /** Sends a dashboard API request; `path` is what follows the AID. */
  async staff(
    shop: Shop,
    method: string,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<HttpResponse & { body: Record<string, unknown> }> {
    const at = `/dashboard/api/production/${shop.aid}${path}`
    const bytes = Buffer.isBuffer(body) ? body : String(body)
    const content = type === 'application/json' ? JSON.stringify(body) : bytes
    const message = {
      method,
      headers: {
        ...(await this.#signIn()),
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body: content }),
    }
    const what = `staff ${method} ${path.split('/').slice(0, 2).join('/')}/…/${path
      .split('/')
      .at(-1)
      ?.replace(/^[\w-]{10,}$/, ':id')}`
    const response = await this.send(what, this.system.url + at, message)
    const isJson =
      /^application\/json/.test(response.headers['content-type'] ?? '') && response.text !== ''
    const answer = isJson ? (JSON.parse(response.text) as Record<string, unknown>) : {}
    shop.shown.note(answer)
    return { ...response, body: answer }
  }

  async #signIn(): Promise<Record<string, string>> {
    const { now } = this
    const { url, service } = this.system
    if (this.#session && this.#session.until > now && this.#session.url === url) {
      return this.#session.headers
    }
    const realTime = now * 1000
    const token = await service.ctx.control.write(async (trx) => {
      const input = { email: `${newId()}@staff.example`, name: 'Model', password: 'none' }
      const { id } = await addStaff(trx, { ...input, role: 'owner' }, realTime)
      return await beginSession(trx, id, 'model', realTime)
    })
    const headers = { cookie: `gatehouse-session=${token}`, 'sec-fetch-site': 'same-origin' }
    this.#session = { headers, until: now + 600, url }
    return headers
  }

  /** Runs a command in this process. A refusal is an exit code; anything thrown is a defect. */
  async command(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    try {
      return await this.system.commands.run(...args)
    } catch (error) {
      const words = args.slice(0, 2).join(' ')
      throw new ModelFailure('status', `gatehouse ${words} crashed`, String(error))
    }
  }

  /** Ends everything of this history that would otherwise continue by itself. */
  async close(): Promise<void> {
    const { fake, env } = this.system
    for (const { session } of this.checkouts.values()) {
      if (fake.ledger.sessions.get(session)?.status === 'open') fake.expire(session)
    }
    for (const { aid, isArchived } of Object.values(this.shops)) {
      if (isArchived) continue
      await env.database.write((trx) => archiveApplication(trx, aid, this.now, 'test'))
    }
    await env.database.write((trx) =>
      trx
        .updateTable('subscriptions')
        .set({ next_due: this.now })
        .where('next_due', 'is not', null)
        .execute(),
    )
    await runDuePayments(env)
  }

  /** Runs everything that is due now, like the workers of a server. */
  async work(): Promise<void> {
    try {
      await this.system.work()
    } catch (error) {
      throw new ModelFailure('status', `the payment worker failed: ${String(error)}`)
    }
    await syncModel(this)
  }

  /** Lets time pass as if workers ran all the time: stops at each moment at which something is due. */
  async advance(seconds: number): Promise<void> {
    const target = this.now + seconds
    for (let pause = FIRST_PAUSE; this.now < target; ) {
      const due = (await findNextDueTime(this.system.env.database.read)) ?? target
      const isWaiting = due <= this.now || (await hasPendingOrders(this.system.env))
      const next = Math.min(target, isWaiting ? this.now + pause : due)
      // A payment may take days; poll it less and less often.
      pause = isWaiting ? Math.min(pause * 4, DAY) : FIRST_PAUSE
      this.system.moveClock(next - this.now)
      await this.work()
    }
  }

  /** Sends the provider's new events; they may get lost on the way. */
  async deliverEvents({ copies = 1, isLost = false, isReversed = false } = {}): Promise<string> {
    const { fake, url } = this.system
    const waiting = fake.events.filter(({ id }) => !this.#handled.has(id))
    for (const { id } of waiting) this.#handled.add(id)
    if (isLost) return 'lost'
    const statuses = new Set<number>()
    for (const event of isReversed ? waiting.reverse() : waiting) {
      for (let copy = 0; copy < copies; copy++) {
        const { headers, body } = fake.signEvent(event, Date.now())
        const message = { method: 'POST', headers, body }
        const { status } = await this.send('POST /events/stripe', `${url}/events/stripe`, message)
        statuses.add(status)
        // A provider repeats events that were not accepted.
        if (status >= 300) this.#handled.delete(event.id)
      }
    }
    return [...statuses].sort().join(',')
  }
}
