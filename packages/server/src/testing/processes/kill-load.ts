import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError, Gatehouse, NotFoundError, UnavailableError } from '@gatehouse/sdk'
import { expect } from 'vitest'
import type { Credentials } from '../installations.ts'
import type { RestartablePostgres } from '../postgres/restartable-postgres.ts'
import { seededRandom } from '../random.ts'
import type { ServerGroup } from './server-group.ts'

const CLIENTS = 8

/** A reader who is granted access and may lose it again. Only one client ever changes each reader. */
export interface Person {
  ref: string
  /** Part of the message in the grant's mail; new for each grant that is not a repeat. */
  token: string
  suppressed: boolean
  /** The state that the last request asked for. */
  wanted: 'granted' | 'revoked'
  /** Whether that request was answered; if not, it may or may not have been carried out. */
  isAnswered: boolean
  /** The id of the access record, once known. */
  id: string | undefined
}

export interface KillLoadOptions {
  /** A database that is sometimes away. */
  postgres?: Pick<RestartablePostgres, 'mayFail'> | undefined
  /** How long each client waits between its requests; not at all by default. */
  pauseMs?: number
}

/** Grants, repeats and revokes that several clients send to any of the servers. What was answered is recorded here,
 * outside the processes that are killed. */
export class KillLoad {
  readonly people: Person[] = []
  /** The tokens of answered grants, with and without a mail. */
  readonly granted: { token: string; suppressed: boolean }[] = []
  answered = 0
  /** How often the service has answered that the database is unavailable. */
  refused = 0
  readonly #app: Credentials
  readonly #service: ServerGroup
  readonly #options: KillLoadOptions
  /** When each server last answered a grant or a revoke. */
  readonly #answeredAt = new Map<string, number>()

  constructor(app: Credentials, service: ServerGroup, options: KillLoadOptions = {}) {
    this.#app = app
    this.#service = service
    this.#options = options
  }

  /** Starts the clients; `stop` of the result ends them. */
  start(random: () => number): { stop(): Promise<void>; readonly isOver: boolean } {
    const round = { isOver: false }
    const clients = Array.from({ length: CLIENTS }, (_, n) =>
      this.#use(round, seededRandom(random() * 2 ** 32), n),
    )
    const ended = Promise.all(clients)
    // `stop` reports the failure; here it only ends the other clients.
    ended.catch(() => {
      round.isOver = true
    })
    return {
      get isOver() {
        return round.isOver
      },
      async stop() {
        round.isOver = true
        await ended
      },
    }
  }

  hasAnsweredSince(url: string, since: number): boolean {
    return (this.#answeredAt.get(url) ?? 0) > since
  }

  clientOf(baseUrl: string): Gatehouse {
    return new Gatehouse({ baseUrl, ...this.#app })
  }

  async #use(round: { isOver: boolean }, random: () => number, number: number): Promise<void> {
    const mine = this.people.filter((_, index) => index % CLIENTS === number)
    const open = mine.filter((person) => !person.isAnswered)
    const { pauseMs = 0 } = this.#options
    while (!round.isOver) {
      if (pauseMs > 0) await sleep(2 * pauseMs * random())
      const person = open.pop() ?? choose(mine, random) ?? this.#newPerson(mine, random)
      await this.#ask(person)
      if (person.isAnswered) continue
      open.push(person)
      await sleep(5)
    }
  }

  #newPerson(mine: Person[], random: () => number): Person {
    const token = newToken(random)
    const suppressed = random() < 0.25
    const person: Person = {
      ref: `reader-${token}`,
      token,
      suppressed,
      wanted: 'granted',
      isAnswered: false,
      id: undefined,
    }
    mine.push(person)
    this.people.push(person)
    return person
  }

  async #ask(person: Person): Promise<void> {
    person.isAnswered = false
    const url = this.#service.next()
    if (url === undefined) return
    const isAnswered =
      person.wanted === 'granted' ? await this.#grant(url, person) : await this.#revoke(url, person)
    if (!isAnswered) return
    this.answered++
    this.#answeredAt.set(url, performance.now())
  }

  async #grant(url: string, person: Person): Promise<boolean> {
    const { ref: user_ref, token, suppressed } = person
    const wanted = {
      rid: this.#app.rid,
      user_ref,
      email: `${user_ref}@example.com`,
      message: token,
    }
    const record = await this.#answerOf(url, (client) =>
      client.grantAccess({ ...wanted, suppress_email: suppressed }),
    )
    if (!record) return false
    // A repeated grant returns the same record.
    expect(person.id ?? record.id).toBe(record.id)
    person.id = record.id
    this.granted.push({ token, suppressed })
    person.isAnswered = true
    return true
  }

  /** Revokes access, then checks that no server grants it any more. */
  async #revoke(url: string, person: Person): Promise<boolean> {
    const who = { rid: this.#app.rid, user_ref: person.ref }
    if (!(await this.#answerOf(url, (client) => revoke(client, who)))) return false
    person.isAnswered = true
    await Promise.all(
      this.#service.urls.map(async (one) => {
        const hasAccess = await this.#answerOf(one, (client) => client.hasAccess(who))
        expect(hasAccess ?? false).toBe(false)
      }),
    )
    return true
  }

  /** Returns undefined if there was no response because the server was killed or the database was unavailable. */
  async #answerOf<T>(url: string, ask: (client: Gatehouse) => Promise<T>): Promise<T | undefined> {
    const from = performance.now()
    try {
      return await ask(this.clientOf(url))
    } catch (error) {
      if (error instanceof ConnectionError && this.#service.wasKilled(url)) return undefined
      const isAllowed = this.#options.postgres?.mayFail(from) || this.#service.mayHold(from)
      if (!(error instanceof UnavailableError) || !isAllowed) throw error
      this.refused++
      return undefined
    }
  }
}

/** Picks a known reader for a new request or a repeat; undefined means that a new reader is needed. */
function choose(mine: readonly Person[], random: () => number): Person | undefined {
  const chance = random()
  const person = mine[Math.floor(random() * mine.length)]
  if (!person || chance < 0.7) return undefined
  if (person.wanted === 'revoked') {
    Object.assign(person, { wanted: 'granted', token: newToken(random), id: undefined })
  } else if (chance < 0.85) {
    person.wanted = 'revoked'
  }
  return person
}

const newToken = (random: () => number) => `token-${Math.floor(random() * 2 ** 48).toString(36)}-`

/** "Not found" counts as success: the previous revoke was carried out, but its response was lost. */
async function revoke(client: Gatehouse, who: { rid: string; user_ref: string }): Promise<true> {
  try {
    await client.revokeAccess(who)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
  }
  return true
}
