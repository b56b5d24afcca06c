import type { ClaimedMail } from '../../domain/mail/claims.ts'
import type { RateLimit, Throttle } from './pacing.ts'

/** The share of the connections that mails to one domain may take. */
const DOMAIN_SHARE = 0.75

/** How many claimed mails may wait for a connection, as a multiple of the connections. */
const MAX_WAITING_FACTOR = 10

/** A domain is slow if one of its mails has taken this long. */
const SLOW_MS = 2_000

/** How often mails to slow domains are put off. */
const PUT_OFF_EVERY_MS = 1_000

interface MailLinesOptions<M> {
  connections: number
  rateLimit: RateLimit
  throttle: Throttle
  /** Sends one mail and records how that went. Never rejects. */
  send(claimed: M): Promise<void>
  now?: () => number
}

interface Waiting<M> {
  claimed: M
  domain: string
}

/** The mails of one domain that are being sent: when each was started, in that order. */
type Started = Set<{ at: number }>

/**
 * Sends claimed mails over a limited number of connections, the most urgent first. A mail holds its connection until its
 * outcome is recorded: if the process is killed, no more mails than there are connections are sent twice.
 */
export class MailLines<M extends ClaimedMail> {
  readonly #options: MailLinesOptions<M>
  readonly #now: () => number
  readonly #domainLimit: number
  readonly #maxWaiting: number
  #waiting: Waiting<M>[] = []
  readonly #started = new Map<string, Started>()
  readonly #sendings = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  #lastPutOff = Number.NEGATIVE_INFINITY
  #onProgress = () => {}

  constructor(options: MailLinesOptions<M>) {
    const { connections, rateLimit, now = () => performance.now() } = options
    this.#options = options
    this.#now = now
    this.#domainLimit = Math.max(1, Math.floor(connections * DOMAIN_SHARE))
    this.#maxWaiting = Math.min(MAX_WAITING_FACTOR * connections, rateLimit.perSecond)
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  add(claimed: readonly M[]): void {
    this.#waiting.push(...claimed.map((one) => ({ claimed: one, domain: domainOf(one) })))
    // The sort is stable: mails of the same priority keep their order.
    this.#waiting.sort((a, b) => a.claimed.mail.priority - b.claimed.mail.priority)
    this.#start()
  }

  /** How many mails to claim now: enough for all connections, and half as many to go on with while more are claimed. It
   * is 0 for less than a quarter of the connections, because claims in batches are cheaper. */
  room(): number {
    const { throttle } = this.#options
    if (this.#isStopped || throttle.pause() > 0) return 0
    const allowed = throttle.allowed()
    const ahead = Math.ceil(allowed / 2)
    const wanted = allowed + ahead - this.#sendings.size - this.#countStartable()
    const room = Math.min(wanted, this.#maxWaiting - this.#waiting.length)
    return room < Math.min(allowed / 4, this.#maxWaiting) ? 0 : room
  }

  /** Resolves when the next mail has been sent, or after `maxMs`. */
  async progress(maxMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxMs)
      this.#onProgress = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Takes the waiting mails to slow domains, if they leave no room for others. */
  takeSlow(): M[] {
    const now = this.#now()
    if (this.#waiting.length < this.#maxWaiting) return []
    if (now - this.#lastPutOff < PUT_OFF_EVERY_MS) return []
    this.#lastPutOff = now
    const slow = this.#waiting.filter(({ domain }) => this.#isSlow(domain))
    this.#waiting = this.#waiting.filter(({ domain }) => !this.#isSlow(domain))
    return slow.map(({ claimed }) => claimed)
  }

  /** Starts no more mails. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#onProgress()
  }

  /** Takes all mails that wait. */
  takeWaiting(): M[] {
    return this.#waiting.splice(0).map(({ claimed }) => claimed)
  }

  /** Resolves when no mail waits or is being sent. */
  async finished(): Promise<void> {
    while (this.#sendings.size > 0 || this.#waiting.length > 0) await this.progress(1_000)
  }

  /** Starts as many waiting mails as are allowed now. */
  #start(): void {
    const { rateLimit, throttle } = this.#options
    while (!this.#isStopped && this.#sendings.size < throttle.allowed()) {
      const next = this.#waiting.findIndex(({ domain }) => this.#freeLines(domain) > 0)
      if (next < 0) return
      const pause = Math.max(rateLimit.pause(), throttle.pause())
      if (pause > 0) {
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => this.#start(), pause)
        return
      }
      rateLimit.use()
      const [mail] = this.#waiting.splice(next, 1) as [Waiting<M>]
      const sending = this.#send(mail).then(() => {
        this.#sendings.delete(sending)
        this.#start()
        this.#onProgress()
      })
      this.#sendings.add(sending)
    }
  }

  async #send({ claimed, domain }: Waiting<M>): Promise<void> {
    const started = this.#started.get(domain) ?? new Set()
    const mail = { at: this.#now() }
    this.#started.set(domain, started.add(mail))
    await this.#options.send(claimed)
    started.delete(mail)
    if (started.size === 0) this.#started.delete(domain)
  }

  /** How many more mails to this domain may be started. It has its share also of fewer connections, if the server takes
   * no more. */
  #freeLines(domain: string): number {
    const share = Math.ceil(this.#options.throttle.allowed() * DOMAIN_SHARE)
    return Math.min(this.#domainLimit, share) - (this.#started.get(domain)?.size ?? 0)
  }

  #isSlow(domain: string): boolean {
    const [oldest] = this.#started.get(domain) ?? []
    if (oldest === undefined || this.#freeLines(domain) > 0) return false
    return this.#now() - oldest.at > SLOW_MS
  }

  /** Counts the waiting mails that can be started as soon as connections are free: mails to busy domains can't. */
  #countStartable(): number {
    const free = new Map<string, number>()
    let count = 0
    for (const { domain } of this.#waiting) {
      const left = free.get(domain) ?? this.#freeLines(domain)
      if (left > 0) count++
      free.set(domain, left - 1)
    }
    return count
  }
}

const domainOf = ({ mail: { recipient } }: ClaimedMail) =>
  recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase()
