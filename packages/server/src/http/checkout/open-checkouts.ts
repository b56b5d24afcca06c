import type { Peers } from '../../cluster/peers.ts'
import type { Environment } from '../../context.ts'
import type { RowKey } from '../../db/queries/rows.ts'
import type { Millis } from '../../db/tables.ts'
import type { CheckoutRow } from '../../domain/payments/checkout/checkouts.ts'
import { listOpenCheckouts } from '../../domain/payments/checkout/list-open.ts'
import { fail } from '../../errors.ts'
import { pushTo } from '../../push-to.ts'

/** How long a checkout counts for the address that began it, unless it is paid before. It stays open for longer, but a
 * reader who hasn't paid by then has most likely left. */
const COUNTED_MS: Millis = 15 * 60_000

/** How often checkouts that no longer count are forgotten. */
const SWEEP_MS: Millis = 60_000

/** A checkout and the address of its page at the provider. */
export interface StartedCheckout {
  checkout: CheckoutRow
  url: string
}

interface Begun {
  /** Undefined while it is being created. */
  key: RowKey | undefined
  at: Millis
}

/** What workers tell each other. */
interface Told extends RowKey {
  address: string
}

/** Limits how many checkouts of an address are open at a time; a maximum of 0 means no limit. Those that peers began count
 * too. Addresses are kept in memory only: they are personal data, and no checkout needs one. */
export class OpenCheckouts {
  readonly #begun = new Map<string, Begun[]>()
  readonly #env: Environment
  readonly #max: number
  readonly #tell: (told: Told) => void
  #sweptAt: Millis

  constructor(env: Environment, max: number, peers: Peers) {
    this.#env = env
    this.#max = max
    this.#sweptAt = env.realTime()
    const topic = `checkout begun in ${env.name}`
    this.#tell = (told) => peers.broadcast(topic, told)
    if (max === 0) return
    peers.onBroadcast(topic, (content) => {
      const { address, aid, id } = content as Told
      this.#add(address, { key: { aid, id }, at: env.realTime() })
    })
  }

  /** Starts a checkout, unless the address has too many. */
  async begin(address: string, start: () => Promise<StartedCheckout>): Promise<StartedCheckout> {
    if (this.#max === 0) return await start()
    this.#sweep()
    const one = await this.#reserve(address)
    try {
      const started = await start()
      const { aid, id } = started.checkout
      one.key = { aid, id }
      this.#tell({ address, aid, id })
      return started
    } catch (error) {
      this.#remove(address, (other) => other === one)
      throw error
    }
  }

  /** Counts a checkout before it exists, so that those that are sent at the same time count too. Throws if the address
   * has too many. */
  async #reserve(address: string): Promise<Begun> {
    const isFull = () => this.#counted(address).length >= this.#max
    if (isFull()) await this.#forgetEnded(address)
    if (isFull()) throw this.#refusal(address)
    const one: Begun = { key: undefined, at: this.#env.realTime() }
    this.#add(address, one)
    return one
  }

  #refusal(address: string) {
    const [oldest] = this.#counted(address)
    const left = (oldest?.at ?? 0) + COUNTED_MS - this.#env.realTime()
    const message = `No more than ${this.#max} open checkouts of one address.`
    return fail('too_many_requests', message, Math.ceil(left / 1000))
  }

  #counted(address: string): Begun[] {
    const since = this.#env.realTime() - COUNTED_MS
    return (this.#begun.get(address) ?? []).filter(({ at }) => at > since)
  }

  #add(address: string, one: Begun): void {
    pushTo(this.#begun, address, one)
  }

  #remove(address: string, isRemoved: (one: Begun) => boolean): void {
    const left = (this.#begun.get(address) ?? []).filter((one) => !isRemoved(one))
    if (left.length === 0) this.#begun.delete(address)
    else this.#begun.set(address, left)
  }

  /** Forgets the checkouts of an address that were paid or have ended. */
  async #forgetEnded(address: string): Promise<void> {
    const keys = this.#counted(address).flatMap(({ key }) => key ?? [])
    const open = await listOpenCheckouts(this.#env.database.read, keys)
    const ended = new Set(keys.map(({ id }) => id).filter((id) => !open.has(id)))
    this.#remove(address, ({ key }) => key !== undefined && ended.has(key.id))
  }

  #sweep(): void {
    const now = this.#env.realTime()
    if (now - this.#sweptAt < SWEEP_MS) return
    this.#sweptAt = now
    for (const address of this.#begun.keys()) {
      this.#remove(address, ({ at }) => at <= now - COUNTED_MS)
    }
  }
}
