import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError, Gatehouse, NotFoundError, UnavailableError } from '@gatehouse/sdk'
import { expect } from 'vitest'
import type { Db } from '../../db/database.ts'

export interface CursorRace {
  aid: string
  privateKey: string
  /** The base URL of a server that runs; waits for one if there is none. */
  baseUrl(): Promise<string>
  /** The time by which requests are dated. */
  now?: () => number
  /** The rids that readers are granted. */
  rids: readonly string[]
  writers: number
  /** How many times each writer writes about a reader whom others write about too, and about one of its own. */
  rounds: number
  /** How many clients page by cursor meanwhile. */
  pagers: number
}

export interface CursorRaceReport {
  events: number
  writes: number
  pages: number
  /** Requests that were sent again, because no server answered or the database was busy. */
  repeated: number
}

interface State {
  race: CursorRace
  report: CursorRaceReport
  /** The types of the events that each writer's own reader must have, by reference. */
  expected: Map<string, string[]>
  isDone: boolean
}

/** How many readers all writers share. */
const SHARED_READERS = 5

/**
 * Pages through the events of an application by cursor while others write. Throws unless each client has seen every event
 * exactly once and in the same order, the numbers of each reader's events rise in that order, and each answered write has
 * its events.
 */
export async function raceCursors(race: CursorRace, db: Db): Promise<CursorRaceReport> {
  const report = { events: 0, writes: 0, pages: 0, repeated: 0 }
  const state: State = { race, report, expected: new Map(), isDone: false }
  const writing = Promise.all(
    Array.from({ length: race.writers }, (_, n) => writeAll(state, n)),
  ).finally(() => {
    state.isDone = true
  })
  const paging = Promise.all(
    Array.from({ length: race.pagers }, (_, n) => pageAll(state, 3 + n * 40)),
  )
  const [seen] = await Promise.all([paging, writing])
  await compare(db, state, seen)
  return report
}

/** Sends a request until a server answers it. */
async function persist<T>(
  { race, report }: State,
  ask: (client: Gatehouse) => Promise<T>,
): Promise<T> {
  for (;;) {
    const { aid, privateKey, now = Date.now } = race
    try {
      return await ask(new Gatehouse({ baseUrl: await race.baseUrl(), aid, privateKey, now }))
    } catch (error) {
      const isOutage = error instanceof ConnectionError || error instanceof UnavailableError
      if (!isOutage) throw error
      report.repeated++
      await sleep(20)
    }
  }
}

async function writeAll(state: State, n: number): Promise<void> {
  const own = `own${n}`
  const types: string[] = []
  state.expected.set(own, types)
  const { rids, rounds } = state.race
  const rid = rids[n % rids.length] as string
  let hasAccess = false
  for (let round = 0; round < rounds; round++) {
    await writeShared(state, n, round)
    const isRevoke: boolean = hasAccess && round % 4 === 3
    if (isRevoke) await revoke(state, own, rid, `${own} ${round}`)
    else await grant(state, own, rid, `${own} ${round}`)
    const about = isRevoke ? 'revoked' : hasAccess ? 'changed' : 'granted'
    types.push(`access.${about}`, 'user.access_changed')
    hasAccess = !isRevoke
  }
}

/** Writes about a reader whom other writers write about at the same time. */
async function writeShared(state: State, n: number, round: number): Promise<void> {
  const reader = `shared${(n + round) % SHARED_READERS}`
  const rid = state.race.rids[(n + round) % state.race.rids.length] as string
  const key = `shared ${n} ${round}`
  if (round % 3 !== 2) return await grant(state, reader, rid, key)
  await revoke(state, reader, rid, key)
}

/** The key makes a write that is sent again take effect once. It is also the tag, so that each grant changes something. */
async function grant(state: State, reader: string, rid: string, key: string): Promise<void> {
  const who = { user_ref: reader, email: `${reader}@example.com` }
  const input = { ...who, rid, tags: key, suppress_email: true, idempotency_key: key }
  await persist(state, (client) => client.grantAccess(input))
  state.report.writes++
}

/** Another writer may have revoked a shared reader's access before. */
async function revoke(state: State, reader: string, rid: string, key: string): Promise<void> {
  const input = { user_ref: reader, rid, idempotency_key: key }
  await persist(state, (client) =>
    client.revokeAccess(input).catch((error) => {
      if (!(error instanceof NotFoundError) || reader.startsWith('own')) throw error
    }),
  )
  state.report.writes++
}

/** Pages by cursor until the writers are done and nothing is left. */
async function pageAll(state: State, limit: number): Promise<string[]> {
  const seen: string[] = []
  let after: string | undefined
  for (;;) {
    const wasDone = state.isDone
    const question = after === undefined ? { limit } : { limit, after }
    const page = await persist(state, (client) => client.searchEvents(question))
    state.report.pages++
    seen.push(...page.data.map(({ id }) => id))
    after = page.cursor
    if (wasDone && !page.more) return seen
    // A client that asks all the time would slow the writers down.
    if (page.data.length === 0) await sleep(20)
  }
}

async function compare(db: Db, { race, report, expected }: State, seen: string[][]): Promise<void> {
  const stored = await db
    .selectFrom('events')
    .select(['id', 'uid', 'sequence', 'position', 'type', 'body'])
    .where('aid', '=', race.aid)
    .orderBy('position')
    .execute()
  report.events = stored.length
  const ids = stored.map(({ id }) => id)
  for (const one of seen) expect(one).toEqual(ids)
  expect(stored.map(({ position }) => position)).toEqual(ids.map((_, i) => i + 1))
  const typesOf = new Map<string, string[]>()
  for (const uid of new Set(stored.map((row) => row.uid))) {
    if (uid === null) continue
    const own = stored.filter((row) => row.uid === uid)
    const numbers = own.map(({ sequence }) => sequence as number)
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
    const { body } = own.find(({ type }) => type === 'user.access_changed') ?? { body: '{}' }
    const { data } = JSON.parse(body) as { data: { references: string[] } }
    typesOf.set(
      data.references[0] as string,
      own.map(({ type }) => type),
    )
  }
  for (const [reader, types] of expected) expect(typesOf.get(reader), reader).toEqual(types)
}
