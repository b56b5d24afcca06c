/**
 * The rules of paid access in their shortest form: one reader, one resource, days instead of seconds, no database.
 * Tests compare the service with it.
 */
const FOREVER = Number.POSITIVE_INFINITY
const RETRY_DAYS = [1, 3, 5, 7]
const GRACE_DAYS = 7

interface ModelPayment {
  amount: number
  refunded: number
  /** What a lost dispute took. */
  lost: number
  /** What is undecided. */
  open: 'nothing' | 'inquiry' | 'dispute'
  /** The days of access that the loss ended. */
  daysLeft: number
  /** The end of the period that it paid for. */
  ends: number
}

interface Source {
  kind: 'grant' | 'purchase' | 'subscription'
  starts: number
  ends: number
  days: number
  payment?: ModelPayment
}

interface ModelSubscription {
  status: 'active' | 'past_due' | 'canceled' | 'ended'
  isCardGood: boolean
  days: number
  periodEnd: number
  due: number
  source: Source
}

type DisputeOutcome = 'inquiry' | 'opened' | 'won' | 'lost'
const OPEN: Partial<Record<DisputeOutcome, ModelPayment['open']>> = {
  inquiry: 'inquiry',
  opened: 'dispute',
}

const newPayment = (amount: number, ends: number): ModelPayment => ({
  ...{ amount, refunded: 0, lost: 0, open: 'nothing', daysLeft: 0, ends },
})

const isGivenBack = ({ amount, refunded, lost }: ModelPayment) => refunded + lost >= amount
const isLost = (payment: ModelPayment) =>
  payment.open === 'nothing' && payment.lost > 0 && isGivenBack(payment)
const isUpToBank = (payment: ModelPayment) => payment.open === 'dispute' || isLost(payment)

export class MoneyModel {
  now = 0
  /** A source grants access; an expired one stays until something closes it. */
  sources: Source[] = []
  /** Oldest first, as the service numbers them. */
  payments: ModelPayment[] = []
  subscription: ModelSubscription | undefined
  /** Whether there is a record to revoke: the first source creates it, a revoke removes it. */
  hasRecord = false

  get ends(): number | undefined {
    return this.sources.length === 0 ? undefined : Math.max(...this.sources.map((one) => one.ends))
  }

  get isLive(): boolean {
    return this.ends !== undefined && this.ends > this.now
  }

  get isSubscribed(): boolean {
    return this.subscription !== undefined && this.subscription.status !== 'ended'
  }

  grant(days: number | undefined): void {
    this.sources = this.sources.filter(({ kind }) => kind !== 'grant')
    const ends = days === undefined ? FOREVER : this.now + days
    this.sources.push({ kind: 'grant', starts: this.now, ends, days: 0 })
    this.hasRecord = true
  }

  purchase(days: number | undefined, amount: number): void {
    const source: Source = { kind: 'purchase', starts: 0, ends: 0, days: days ?? FOREVER }
    this.#placePeriod(source, this.sources)
    source.payment = newPayment(amount, source.ends)
    this.payments.push(source.payment)
    this.sources.push(source)
    this.hasRecord = true
  }

  /** A paid period begins when the paid time bought before it ends. */
  #placePeriod(source: Source, others: readonly Source[]): void {
    const running = others.filter(({ kind, ends }) => kind !== 'grant' && ends !== FOREVER)
    source.starts =
      source.days === FOREVER ? this.now : Math.max(this.now, ...running.map((one) => one.ends))
    source.ends = source.starts + source.days
  }

  subscribe(days: number, amount: number, isCardGood: boolean): void {
    const ends = this.now + days
    const payment = newPayment(amount, ends)
    const source: Source = { kind: 'subscription', starts: this.now, ends, days, payment }
    this.payments.push(payment)
    this.sources.push(source)
    const status = 'active'
    this.subscription = { status, isCardGood, days, periodEnd: ends, due: ends, source }
    this.hasRecord = true
  }

  cancel(): boolean {
    const one = this.subscription
    if (!one || one.status === 'ended') return false
    if (one.status === 'canceled') return true
    one.status = 'canceled'
    one.due = one.periodEnd
    if (one.periodEnd <= this.now) this.#end()
    return true
  }

  resume(): boolean {
    const one = this.subscription
    if (!one || one.status === 'ended') return false
    if (one.status !== 'canceled') return true
    one.status = 'active'
    one.due = one.periodEnd
    return true
  }

  /** If a renewal has failed, the new card is charged immediately. */
  changeCard(isGood: boolean): void {
    const one = this.subscription
    if (!one || one.status === 'ended') return
    one.isCardGood = isGood
    if (one.status === 'past_due') {
      one.due = this.now
      this.#runUntil(this.now)
    }
  }

  #end(): void {
    const one = this.subscription as ModelSubscription
    one.status = 'ended'
    this.#close(one.source)
  }

  /** Periods queued after this source begin sooner. */
  #close(source: Source): void {
    this.sources = this.sources.filter((one) => one !== source)
    this.#rescheduleQueuedPeriods(this.now + 1)
  }

  /** Periods queued after this source begin later. */
  #extend(source: Source, ends: number): void {
    const before = source.ends
    source.ends = ends
    this.#rescheduleQueuedPeriods(Math.min(before, this.now + 1))
  }

  #rescheduleQueuedPeriods(since: number): void {
    const isWaiting = (one: Source) => one.kind === 'purchase' && one.starts >= since
    const laid = this.sources.filter((one) => !isWaiting(one))
    for (const waiting of this.sources.filter(isWaiting)) {
      this.#placePeriod(waiting, laid)
      laid.push(waiting)
    }
  }

  /** Returns false if the service must refuse the refund. */
  refund(payment: ModelPayment, amount: number): boolean {
    const left = payment.amount - payment.refunded - payment.lost
    if (isUpToBank(payment) || amount > left) return false
    payment.refunded += amount
    if (isGivenBack(payment)) this.#closePayment(payment)
    return true
  }

  #closePayment(payment: ModelPayment): void {
    const source = this.sources.find((one) => one.payment === payment)
    if (!source) return
    const ends = source.kind === 'subscription' ? payment.ends : source.ends
    const daysLeft = ends - Math.max(this.now, source.starts)
    if (isLost(payment)) payment.daysLeft = Math.max(0, daysLeft)
    if (source.kind === 'subscription') this.#end()
    else this.#close(source)
  }

  /** How the dispute about an amount stands now. A loss closes what it leaves no money for, and one that is taken back
   * gives the days back that were left. */
  dispute(payment: ModelPayment, outcome: DisputeOutcome, amount: number): void {
    const wasLost = isLost(payment)
    payment.lost = outcome === 'lost' ? amount : 0
    payment.open = OPEN[outcome] ?? 'nothing'
    if (isLost(payment) && !wasLost) this.#closePayment(payment)
    if (isLost(payment) || payment.open !== 'nothing') return
    if (payment.daysLeft > 0 && !isGivenBack(payment)) this.#giveBack(payment)
    payment.daysLeft = 0
  }

  #giveBack(payment: ModelPayment): void {
    const source: Source = {
      ...{ kind: 'purchase', starts: 0, ends: 0, days: payment.daysLeft, payment },
    }
    this.#placePeriod(source, this.sources)
    this.sources.push(source)
  }

  /** Returns the outcomes of the resulting refunds; undefined if there is nothing to revoke. */
  revoke(withRefund: boolean): ('succeeded' | 'failed')[] | undefined {
    if (!this.hasRecord) return undefined
    const outcomes: ('succeeded' | 'failed')[] = []
    for (const { payment, ends, kind } of withRefund ? this.sources : []) {
      const isOver = kind === 'subscription' && (payment?.ends ?? 0) <= this.now
      if (!payment || ends <= this.now || isOver) continue
      const left = payment.amount - payment.refunded - payment.lost
      if (left <= 0) continue
      if (isUpToBank(payment)) outcomes.push('failed')
      else {
        payment.refunded += left
        outcomes.push('succeeded')
      }
    }
    this.sources = []
    this.hasRecord = false
    // What staff have revoked stays revoked.
    for (const payment of this.payments) payment.daysLeft = 0
    if (this.subscription) this.subscription.status = 'ended'
    return outcomes
  }

  advance(days: number): void {
    this.#runUntil(this.now + days)
  }

  #runUntil(target: number): void {
    for (;;) {
      const one = this.subscription
      if (!one || one.status === 'ended' || one.due > target) break
      this.now = Math.max(this.now, one.due)
      if (one.status === 'canceled') this.#end()
      else this.#renew(one)
    }
    this.now = target
  }

  #renew(one: ModelSubscription): void {
    if (one.isCardGood) {
      // A period that is over before it is charged for the first time is not charged: the next one begins now.
      const isOver = one.status === 'active' && one.periodEnd + one.days <= this.now
      one.status = 'active'
      one.periodEnd = (isOver ? this.now : one.periodEnd) + one.days
      one.due = one.periodEnd
      this.#extend(one.source, one.periodEnd)
      const { amount } = one.source.payment as ModelPayment
      one.source.payment = newPayment(amount, one.periodEnd)
      this.payments.push(one.source.payment)
      return
    }
    one.status = 'past_due'
    this.#extend(one.source, one.periodEnd + GRACE_DAYS)
    const next = RETRY_DAYS.find((day) => one.periodEnd + day > this.now)
    if (next === undefined) this.#end()
    else one.due = one.periodEnd + next
  }
}
