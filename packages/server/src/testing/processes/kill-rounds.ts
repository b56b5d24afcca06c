import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Environment } from '../../context.ts'
import type { Trx } from '../../db/database.ts'
import { findViolations } from '../../db/invariants/invariants.ts'
import { countMails } from '../../domain/mail/outbox.ts'
import type { TestDatabase, TestInstallation } from '../databases.ts'
import { createApplicationIn, withContext } from '../installations.ts'
import {
  OUTAGES,
  type OutageKind,
  RECOVERY_MS,
  type RestartablePostgres,
  startRestartablePostgres,
} from '../postgres/restartable-postgres.ts'
import { seededRandom, shuffled } from '../random.ts'
import { startSmtp, type TestSmtp } from '../smtp/smtp.ts'
import { KillLoad } from './kill-load.ts'
import { ServerGroup } from './server-group.ts'

/** A kill comes at a random moment, up to this long after the load has started. */
/** A kill sends at most this many mails twice. */
const MAIL_CONNECTIONS = 4

const MAX_KILL_DELAY_MS = 300
const PAUSE_MS = 5_000

export interface KillRounds {
  /** How many rounds kill one of the processes, or all of them. */
  rounds: number
  seed: number
  /** How many processes share the home; one by default. */
  processes?: number
  /** How often PostgreSQL goes down under load; never by default. */
  restarts?: number
  /** How often one of the processes is paused; never by default. */
  pauses?: number
}

export interface KillReport {
  kills: number
  answered: number
  /** How often the service has answered that the database is unavailable. */
  refused: number
  /** The longest time after the database was back until all servers had answered again, in milliseconds. */
  recovery: number
  mails: number
  duplicates: number
  milliseconds: number
}

interface KillContext {
  service: ServerGroup
  load: KillLoad
  postgres: RestartablePostgres | undefined
  random: () => number
  installation: TestInstallation
  /** The number of mails that were being sent when their leases were ended. */
  taken: number
}

/**
 * Repeatedly kills servers and restarts their database in the middle of grants and revokes, and finally compares what
 * was answered with what is stored.
 */
export async function killRounds(database: TestDatabase, options: KillRounds): Promise<KillReport> {
  const startedAt = performance.now()
  const random = seededRandom(options.seed)
  const smtp = await startSmtp()
  const postgres = options.restarts ? await startRestartablePostgres() : undefined
  const installation = postgres?.installation ?? (await database.createMigrated())
  const env = {
    ...installation.env,
    GATEHOUSE_SMTP_URL: smtp.url,
    GATEHOUSE_MAIL_PER_SECOND: '10000',
    GATEHOUSE_MAIL_CONNECTIONS: String(MAIL_CONNECTIONS),
  }
  const isFrail = postgres !== undefined || (options.pauses ?? 0) > 0
  const service = new ServerGroup(env, { count: options.processes, isFrail })
  try {
    const app = await createApplicationIn(installation)
    const load = new KillLoad(app, service, { postgres })
    const scene: KillContext = { service, load, postgres, random, installation, taken: 0 }
    let recovery = 0
    for (const [n, event] of eventsOf(options, random).entries()) {
      recovery = Math.max(recovery, await playRound(scene, event, n % 4 > 0))
    }
    await service.stop()
    await compareAll(installation, service, app.rid, load, smtp)
    const duplicates = requireMails(load, smtp)
    const { kills } = service
    expect(duplicates).toBeLessThanOrEqual(kills * MAIL_CONNECTIONS + scene.taken)
    const { answered, refused } = load
    const mails = smtp.mails.length
    const milliseconds = Math.round(performance.now() - startedAt)
    return { kills, answered, refused, recovery, mails, duplicates, milliseconds }
  } finally {
    await service.end()
    await smtp.stop()
    await installation.remove()
  }
}

type Event = 'kill' | 'pause' | 'pause and lose' | OutageKind | `${OutageKind} and kill`

function eventsOf({ rounds, restarts = 0, pauses = 0 }: KillRounds, random: () => number): Event[] {
  const kills = Array.from({ length: rounds }, (): Event => 'kill')
  const stops = Array.from(
    { length: pauses },
    (_, n): Event => (n % 2 ? 'pause and lose' : 'pause'),
  )
  const outages = Array.from({ length: restarts }, (_, n): Event => {
    const kind = OUTAGES[n % OUTAGES.length] as OutageKind
    return n % 4 === 3 ? `${kind} and kill` : kind
  })
  return shuffled<Event>([...kills, ...stops, ...outages], random)
}

/** Returns how long the service took to recover, in milliseconds. */
async function playRound(scene: KillContext, event: Event, fromAnswer: boolean): Promise<number> {
  const { service, load, random } = scene
  await service.start()
  const { answered } = load
  const running = load.start(random)
  while (fromAnswer && load.answered === answered && !running.isOver) await sleep(1)
  await sleep(random() * MAX_KILL_DELAY_MS)
  const recovery = await playEvent(scene, event)
  await running.stop()
  return recovery
}

async function playEvent(scene: KillContext, event: Event): Promise<number> {
  const { service, postgres, random } = scene
  const [what, , also] = event.split(' ')
  if (what === 'kill') await service.kill(random)
  else if (what === 'pause') await pause(scene, also === 'lose')
  else {
    const killing = async () => {
      await sleep(random() * MAX_KILL_DELAY_MS)
      await service.kill(random)
    }
    const [outage] = await Promise.all([
      postgres?.takeDown(what as OutageKind),
      also === 'kill' ? killing() : undefined,
    ])
    return await untilRecovered(scene, outage?.readyAt as number)
  }
  return 0
}

/** Pauses one server. Its leases outlast the pause unless they are ended: then another server takes over its work. On
 * SQLite, ending them may have to wait for a lock that the paused server holds. */
async function pause(scene: KillContext, loseLeases: boolean): Promise<void> {
  await withContext(scene.installation, async ({ environments: { production } }) => {
    let taken = Promise.resolve(0)
    await scene.service.pauseOne(scene.random, async () => {
      if (loseLeases) taken = endLeases(production)
      await sleep(PAUSE_MS)
    })
    scene.taken += await taken
  })
}

/** Waits until every running server has answered; fails if that takes too long. */
async function untilRecovered({ service, load }: KillContext, readyAt: number): Promise<number> {
  for (;;) {
    const took = Math.round(performance.now() - readyAt)
    const silent = service.urls.filter((url) => !load.hasAnsweredSince(url, readyAt))
    if (silent.length === 0) return took
    expect(took, 'milliseconds without an answer').toBeLessThan(RECOVERY_MS)
    await sleep(5)
  }
}

/** Ends all leases, so that no test has to wait until they expire. Returns how many there were. */
async function endLeases({ database, realTime }: Environment): Promise<number> {
  const end = (trx: Trx) =>
    trx
      .updateTable('outbox')
      .set({ lease_until: realTime() })
      .where('status', '=', 'sending')
      .returning('id')
      .execute()
  // A paused server may have locked some of them.
  return (await database.write(end, { batch: true })).length
}

/** Starts the servers once more, undisturbed, to send the remaining mails and check who has access. */
async function compareAll(
  installation: TestInstallation,
  service: ServerGroup,
  rid: string,
  load: KillLoad,
  smtp: TestSmtp,
): Promise<void> {
  await withContext(installation, ({ environments }) => endLeases(environments.production))
  await service.start()
  for (const url of service.urls) await requireAccess(load, url, rid)
  await withContext(installation, async ({ environments: { production } }) => {
    const { database, clock } = production
    await waitUntilStable(smtp, async () => {
      const { queued, sending } = await countMails(database.read)
      return queued + sending === 0
    })
    expect(await countMails(database.read)).toMatchObject({ dead: 0, kept: 0 })
    expect(await findViolations(database.read, clock())).toEqual([])
    expect(await database.findDamage()).toEqual([])
  })
  await service.stop()
}

/** Waits until it is done; gives up when no mail has arrived for 30 seconds. */
async function waitUntilStable(smtp: TestSmtp, isDone: () => Promise<boolean>): Promise<void> {
  let seen = -1
  let quietSince = performance.now()
  while (!(await isDone())) {
    if (smtp.mails.length !== seen) quietSince = performance.now()
    seen = smtp.mails.length
    if (performance.now() - quietSince > 30_000) throw new Error(`no more mails after ${seen}`)
    await sleep(100)
  }
}

/** Requires that the server grants access to exactly those to whom it was last answered. */
export async function requireAccess(load: KillLoad, url: string, rid: string): Promise<void> {
  const live = new Map<string, string>()
  for await (const access of load.clientOf(url).listAccess({ rid, pagesize: 1000 })) {
    live.set(access.user_ref, access.id)
  }
  for (const person of load.people.filter(({ isAnswered }) => isAnswered)) {
    const expected = person.wanted === 'granted' ? person.id : undefined
    expect(live.get(person.ref), `${person.ref} was ${person.wanted}`).toBe(expected)
  }
}

/** Requires a mail under one Message-ID for every answered grant. Returns the number of duplicates. */
function requireMails(load: KillLoad, smtp: TestSmtp): number {
  const idsOf = new Map<string, Set<string>>()
  for (const { mail } of smtp.mails) {
    const token = /token-\w+-/.exec(mail.text ?? '')?.[0] as string
    expect(token, mail.text).toBeDefined()
    idsOf.set(token, (idsOf.get(token) ?? new Set()).add(mail.messageId as string))
  }
  for (const { token, suppressed } of load.granted) {
    expect(idsOf.get(token)?.size ?? 0, token).toBe(suppressed ? 0 : 1)
  }
  for (const ids of idsOf.values()) expect(ids.size).toBe(1)
  return smtp.mails.length - idsOf.size
}
