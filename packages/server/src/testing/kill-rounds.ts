import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError, Gatehouse, NotFoundError } from '@gatehouse/sdk'
import { expect } from 'vitest'
import { findViolations } from '../db/invariants.ts'
import { countMails } from '../outbox/outbox.ts'
import type { Home, TestDatabase } from './databases.ts'
import { type Credentials, newHomeApplication, withHome } from './homes.ts'
import { startProcess } from './process.ts'
import { seededRandom } from './random.ts'
import { startSmtp, type TestSmtp } from './smtp.ts'

const CLIENTS = 8
/** A kill comes at any moment up to this long after the load began. */
const LATEST_KILL_MS = 300

/** Someone who is granted access, and perhaps loses it again. Only one client ever touches them. */
interface Person {
  ref: string
  /** In the message of the grant's mail; a new one with each grant that is not a repeat. */
  token: string
  suppressed: boolean
  /** What was asked for last. */
  wish: 'granted' | 'revoked'
  /** Whether that was answered; if not, it may or may not have happened. */
  isAnswered: boolean
  /** The id of the record, once it is known. */
  id: string | undefined
}

/** What was answered, kept outside of the process that is killed. */
interface Journal {
  people: Person[]
  /** The tokens of answered grants, with and without mail. */
  granted: { token: string; suppressed: boolean }[]
  answered: number
}

export interface KillReport {
  kills: number
  answered: number
  mails: number
  duplicates: number
  milliseconds: number
}

/**
 * Kills a server again and again in the middle of grants and revokes, and compares at the end what it
 * had answered with what is there.
 */
export async function killRounds(
  database: TestDatabase,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<KillReport> {
  const startedAt = performance.now()
  const random = seededRandom(seed)
  const smtp = await startSmtp()
  const home = await database.makeHome()
  try {
    const app = await newHomeApplication(home)
    const env = { ...home.env, GATEHOUSE_SMTP_URL: smtp.url, GATEHOUSE_MAIL_PER_SECOND: '10000' }
    const journal: Journal = { people: [], granted: [], answered: 0 }
    for (let round = 0; round < rounds; round++) {
      await killOnce(env, app, journal, random, round % 4 > 0)
    }
    await compareAll(home, env, app, journal, smtp)
    const duplicates = requireMails(journal, smtp)
    expect(duplicates).toBeLessThanOrEqual(rounds)
    const { answered } = journal
    const milliseconds = Math.round(performance.now() - startedAt)
    return { kills: rounds, answered, mails: smtp.mails.length, duplicates, milliseconds }
  } finally {
    await smtp.stop()
    await home.remove()
  }
}

async function killOnce(
  env: Record<string, string>,
  app: Credentials,
  journal: Journal,
  random: () => number,
  /** Whether the load has begun with the first answer, or with the first request. */
  fromAnswer: boolean,
): Promise<void> {
  const server = await startProcess({ env })
  const { answered } = journal
  const client = new Gatehouse({ baseUrl: await server.url, ...app })
  const clients = Array.from({ length: CLIENTS }, (_, n) =>
    useUntilKilled(client, app.rid, journal, seededRandom(random() * 2 ** 32), n),
  )
  while (fromAnswer && journal.answered === answered) await sleep(1)
  await sleep(random() * LATEST_KILL_MS)
  expect(await server.kill()).toMatchObject({ signal: 'SIGKILL' })
  await Promise.all(clients)
}

/** Grants, repeats and revokes, one after the other, until nobody answers any more. */
async function useUntilKilled(
  client: Gatehouse,
  rid: string,
  journal: Journal,
  random: () => number,
  number: number,
): Promise<void> {
  const mine = journal.people.filter((_, index) => index % CLIENTS === number)
  const open = mine.filter((person) => !person.isAnswered)
  try {
    for (;;) {
      const person = open.pop() ?? choose(mine, random) ?? newPerson(journal, mine, random)
      await ask(client, rid, journal, person)
    }
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
  }
}

/** Someone known, with another wish or the same once more; undefined for somebody new. */
function choose(mine: readonly Person[], random: () => number): Person | undefined {
  const chance = random()
  const person = mine[Math.floor(random() * mine.length)]
  if (!person || chance < 0.7) return undefined
  if (person.wish === 'revoked') {
    Object.assign(person, { wish: 'granted', token: newToken(random), id: undefined })
  } else if (chance < 0.85) {
    person.wish = 'revoked'
  }
  return person
}

const newToken = (random: () => number) => `token-${Math.floor(random() * 2 ** 48).toString(36)}-`

function newPerson(journal: Journal, mine: Person[], random: () => number): Person {
  const token = newToken(random)
  const suppressed = random() < 0.25
  const person: Person = {
    ref: `reader-${token}`,
    token,
    suppressed,
    wish: 'granted',
    isAnswered: false,
    id: undefined,
  }
  mine.push(person)
  journal.people.push(person)
  return person
}

async function ask(
  client: Gatehouse,
  rid: string,
  journal: Journal,
  person: Person,
): Promise<void> {
  const { ref: user_ref, token, suppressed } = person
  person.isAnswered = false
  if (person.wish === 'granted') {
    const email = `${user_ref}@example.com`
    const wish = { rid, user_ref, email, message: token, suppress_email: suppressed }
    const { id } = await client.grantAccess(wish)
    // A repeat is the same record.
    expect(person.id ?? id).toBe(id)
    person.id = id
    journal.granted.push({ token, suppressed })
  } else {
    await revoke(client, rid, user_ref)
    person.isAnswered = true
    expect(await client.hasAccess({ rid, user_ref })).toBe(false)
  }
  person.isAnswered = true
  journal.answered++
}

/** Not found is an answer too: the revoke before it was carried out, and its answer was lost. */
async function revoke(client: Gatehouse, rid: string, user_ref: string): Promise<void> {
  try {
    await client.revokeAccess({ rid, user_ref })
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
  }
}

/** Nobody wants to wait for the end of a lease. */
const endLeases = (home: Home) =>
  withHome(home, async ({ environments: { production } }) => {
    await production.database.write(async (trx) => {
      await trx
        .updateTable('outbox')
        .set({ lease_until: production.wall() })
        .where('status', '=', 'sending')
        .execute()
    })
  })

/** One last server, which is left in peace: it finishes the mails, and shows who has access. */
async function compareAll(
  home: Home,
  env: Record<string, string>,
  app: Credentials,
  journal: Journal,
  smtp: TestSmtp,
): Promise<void> {
  await endLeases(home)
  const server = await startProcess({ env })
  const client = new Gatehouse({ baseUrl: await server.url, ...app })
  await requireAccess(client, app.rid, journal)
  await withHome(home, async ({ environments: { production } }) => {
    const { database, clock } = production
    await untilStill(smtp, async () => {
      const { queued, sending } = await countMails(database.read)
      return queued + sending === 0
    })
    expect(await countMails(database.read)).toMatchObject({ dead: 0, kept: 0 })
    expect(await findViolations(database.read, clock())).toEqual([])
    expect(await database.findDamage()).toEqual([])
  })
  expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
}

/** Waits as long as mails arrive. */
async function untilStill(smtp: TestSmtp, isDone: () => Promise<boolean>): Promise<void> {
  let seen = -1
  let quietSince = performance.now()
  while (!(await isDone())) {
    if (smtp.mails.length !== seen) quietSince = performance.now()
    seen = smtp.mails.length
    if (performance.now() - quietSince > 30_000) throw new Error(`no more mails after ${seen}`)
    await sleep(100)
  }
}

async function requireAccess(client: Gatehouse, rid: string, journal: Journal): Promise<void> {
  const live = new Map<string, string>()
  for await (const access of client.listAccess({ rid, pagesize: 1000 })) {
    live.set(access.user_ref, access.id)
  }
  for (const person of journal.people.filter(({ isAnswered }) => isAnswered)) {
    const expected = person.wish === 'granted' ? person.id : undefined
    expect(live.get(person.ref), `${person.ref} was ${person.wish}`).toBe(expected)
  }
}

/** Every answered grant has its mail, under one Message-ID. Returns how many came twice. */
function requireMails(journal: Journal, smtp: TestSmtp): number {
  const idsOf = new Map<string, Set<string>>()
  for (const { mail } of smtp.mails) {
    const token = /token-\w+-/.exec(mail.text ?? '')?.[0] as string
    expect(token, mail.text).toBeDefined()
    idsOf.set(token, (idsOf.get(token) ?? new Set()).add(mail.messageId as string))
  }
  for (const { token, suppressed } of journal.granted) {
    expect(idsOf.get(token)?.size ?? 0, token).toBe(suppressed ? 0 : 1)
  }
  for (const ids of idsOf.values()) expect(ids.size).toBe(1)
  return smtp.mails.length - idsOf.size
}
