import {
  blankHolding,
  byStart,
  FOREVER,
  type Holding,
  mergeHoldings,
  type Purchase,
  placeAfter,
} from './holdings.ts'

/** The resources that a pass opens. */
export interface Opens {
  rids: readonly string[]
  prefixes: readonly string[]
  all: boolean
}

export interface Person {
  uid: string | undefined
  email: string | undefined
  refs: Set<string>
  /** Uids and references of users who were merged into this one. */
  aliases: Set<string>
  /** Addresses of users who were merged into this one, in lower case. */
  former: Set<string>
  isGone: boolean
  /** The resources of which this person had a free trial. */
  trials: Set<string>
  /** The texts of the notes about this person, in any order. */
  notes: string[]
  holdings: Map<string, Holding>
}

const keyOf = (email: string) => email.normalize('NFC').toLowerCase()

/**
 * The model of one application: who is who, and who has access until when. It is as simple as possible: no database, no
 * module of the product. The service's answers are compared with it. Where the model can't know (one-time periods next to
 * a subscription, sales after the backup that was restored), it sets `isUnsure`, and only the other oracles judge.
 */
export class ReferenceModel {
  people: Person[] = []
  /** Uids of people who were erased, and of those merged into them: they never name anybody again. */
  erasedUids = new Set<string>()
  archived = new Set<string>()
  /** The resources that passes open, by the rid of the pass. */
  opens = new Map<string, Opens>()
  /** `rid email` of every free trial, including those of people who are gone. */
  trials = new Set<string>()

  copy(): ReferenceModel {
    return Object.assign(new ReferenceModel(), structuredClone({ ...this }))
  }

  byRef(name: string): Person | undefined {
    const living = this.people.filter(({ isGone }) => !isGone)
    return (
      living.find(({ refs, aliases }) => refs.has(name) || aliases.has(name)) ??
      living.find(({ uid }) => uid === name)
    )
  }

  byCurrentEmail(email: string): Person | undefined {
    return this.people.find((one) => !one.isGone && one.email === keyOf(email))
  }

  byEmail(email: string): Person | undefined {
    const byFormer = () => this.people.find((one) => !one.isGone && one.former.has(keyOf(email)))
    return this.byCurrentEmail(email) ?? byFormer()
  }

  byUid(uid: string): Person | undefined {
    return this.people.find((one) => !one.isGone && one.uid === uid)
  }

  isUid(name: string): boolean {
    return this.erasedUids.has(name) || this.people.some(({ uid }) => uid === name)
  }

  /** Uids of users who were merged or erased, or into whom others were merged, have their own oracle. */
  oracleOf(name: string): 'aliases' | 'reference' {
    const known = this.people.find(({ uid }) => uid === name)
    return known && (known.isGone || known.aliases.size > 0) ? 'aliases' : 'reference'
  }

  holding(person: Person, rid: string): Holding {
    const known = person.holdings.get(rid)
    if (known) return known
    const holding = blankHolding()
    person.holdings.set(rid, holding)
    return holding
  }

  /** The passes that open a resource, other than itself. */
  passesOf(rid: string): string[] {
    const isOpenedBy = ({ rids, prefixes, all }: Opens) =>
      all || rids.includes(rid) || prefixes.some((prefix) => rid.startsWith(prefix))
    return [...this.opens].flatMap(([pass, opens]) =>
      pass !== rid && isOpenedBy(opens) ? [pass] : [],
    )
  }

  #add(email: string | undefined): Person {
    const person: Person = {
      uid: undefined,
      email: email === undefined ? undefined : keyOf(email),
      refs: new Set(),
      aliases: new Set(),
      former: new Set(),
      isGone: false,
      trials: new Set(),
      notes: [],
      holdings: new Map(),
    }
    this.people.push(person)
    return person
  }

  /** The person who gets a grant; undefined if it must be refused. */
  #granted(email: string, ref: string | undefined): Person | undefined {
    const byEmail = this.byEmail(email)
    if (ref === undefined) return byEmail ?? this.#add(email)
    const owner = this.byRef(ref)
    if (!owner && this.isUid(ref)) return undefined
    if (owner && owner !== byEmail && (byEmail || owner.email !== undefined)) return undefined
    const person = byEmail ?? owner ?? this.#add(email)
    person.email ??= keyOf(email)
    if (!owner) person.refs.add(ref)
    return person
  }

  /** Returns the status with which the service must answer, and the person. */
  grant(
    rid: string,
    email: string,
    ref: string | undefined,
    ends: number,
  ): { status: number; person?: Person } {
    if (this.archived.has(rid)) return { status: 402 }
    const person = this.#granted(email, ref)
    if (!person) return { status: 402 }
    const holding = this.holding(person, rid)
    Object.assign(holding, { grantEnds: ends, hasRecord: true })
    return { status: 200, person }
  }

  /** Returns undefined if the link must be refused before anybody pays. */
  buyer(ref: string | undefined, vouched: string | undefined): Person | 'new' | undefined {
    const byEmail = vouched === undefined ? undefined : this.byEmail(vouched)
    if (ref === undefined) return byEmail ?? 'new'
    const owner = this.byRef(ref)
    // A site that takes one reader's uid for another's reference has mixed them up.
    if (owner?.uid === ref && byEmail && byEmail !== owner) return undefined
    if (owner) return owner
    return this.isUid(ref) ? undefined : (byEmail ?? 'new')
  }

  /** Returns the person who gets what was bought, known or new. */
  settleBuyer(
    ref: string | undefined,
    vouched: string | undefined,
    typed: string | undefined,
  ): Person {
    const email = vouched ?? (ref === undefined ? typed : undefined)
    // What was paid for belongs to the reader whom the link named, whoever has got the address since.
    const byRef = ref === undefined ? undefined : this.byRef(ref)
    const found = byRef ?? this.buyer(ref, vouched ?? email)
    const person = found === undefined || found === 'new' ? this.#add(undefined) : found
    const isFree = email !== undefined && this.byEmail(email) === undefined
    if (isFree && (ref !== undefined || found === 'new')) person.email ??= keyOf(email)
    const isNewRef = ref !== undefined && this.byRef(ref) === undefined && !this.isUid(ref)
    if (isNewRef) person.refs.add(ref)
    return person
  }

  /** If the person was erased in the meantime, only the emails are known. */
  startTrial(
    rid: string,
    emails: readonly (string | undefined)[],
    person: Person | undefined,
  ): void {
    person?.trials.add(rid)
    for (const email of [...emails, person?.email]) {
      if (email !== undefined) this.trials.add(`${rid} ${keyOf(email)}`)
    }
  }

  hadTrial(rid: string, email: string): boolean {
    return (
      this.trials.has(`${rid} ${keyOf(email)}`) || this.byEmail(email)?.trials.has(rid) === true
    )
  }

  setEmail(person: Person, email: string): void {
    for (const { former } of this.people) former.delete(keyOf(email))
    person.email = keyOf(email)
  }

  revoke(holding: Holding): number {
    if (!holding.hasRecord) return 404
    Object.assign(holding, blankHolding())
    return 200
  }

  erase(person: Person): void {
    person.isGone = true
    person.notes = []
    for (const name of person.aliases) if (this.isUid(name)) this.erasedUids.add(name)
    if (person.uid !== undefined) this.erasedUids.add(person.uid)
  }

  /** Moves everything from one person to another; paid days add up. */
  merge(from: Person, into: Person, now: number): void {
    const aliases = [...from.refs, ...from.aliases, ...(from.uid === undefined ? [] : [from.uid])]
    from.isGone = true
    for (const name of aliases) into.aliases.add(name)
    for (const email of from.former) into.former.add(email)
    if (into.email === undefined) into.email = from.email
    else if (from.email !== undefined) into.former.add(from.email)
    for (const rid of from.trials) into.trials.add(rid)
    into.notes.push(...from.notes.splice(0))
    for (const [rid, theirs] of from.holdings) mergeHoldings(this.holding(into, rid), theirs, now)
  }

  /** A period that is bought while another one runs begins when that one ends. */
  purchase(holding: Holding, payment: string, seconds: number, now: number): void {
    holding.hasRecord = true
    const purchase: Purchase = { payment, starts: now, ends: FOREVER, seconds }
    if (seconds !== FOREVER) placeAfter(purchase, holding.purchases, now)
    holding.purchases.push(purchase)
  }

  /** A full refund or a lost dispute ends its own purchase; periods queued after it begin sooner. */
  endPurchase(holding: Holding, payment: string, now: number): void {
    const ended = holding.purchases.find((one) => one.payment === payment)
    if (!ended) return
    holding.purchases = holding.purchases.filter((one) => one !== ended)
    const isWaiting = ({ starts, seconds }: Purchase) => seconds !== FOREVER && starts > now
    const laid = holding.purchases.filter((one) => !isWaiting(one))
    for (const waiting of holding.purchases.filter(isWaiting).sort(byStart)) {
      placeAfter(waiting, laid, now)
      laid.push(waiting)
    }
  }

  /** When access ends, as far as the model knows; undefined if nothing grants it. */
  ends({ grantEnds, purchases }: Holding): number | undefined {
    const all = [...(grantEnds === undefined ? [] : [grantEnds]), ...purchases.map((p) => p.ends)]
    return all.length === 0 ? undefined : Math.max(...all)
  }
}
