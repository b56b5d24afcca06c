import { sql } from 'kysely'
import type { EnvironmentDatabase, Trx } from '../../db/database.ts'
import { readMeta, setMeta } from '../../db/meta.ts'
import { deleteRows, lockRows } from '../../db/queries/rows.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import { type CollectedChange, reportChanges } from '../history/collect.ts'
import { raiseReaderSequences } from './write.ts'

/** The row of `meta` that says how far an environment has told its sites everything again; there is none while it need not. */
const PROGRESS = 'events_resync'

/** How many readers or resources one transaction tells again. */
const BATCH_SIZE = 200

interface Progress {
  /** Events from before the restore have lower sequences. */
  sequence: Millis
  /** The application that is under way, empty before the first one, and what it has been told last. */
  aid: string
  part: 'resources' | 'readers' | 'end'
  after: string
}

/** Orders that the sites of all applications are told everything again, because this database may have gone back to an
 * earlier state: what it told of the time after that never happened. */
export async function requestResync(
  database: EnvironmentDatabase,
  realTime: Millis,
): Promise<void> {
  const progress: Progress = { sequence: realTime, aid: '', part: 'end', after: '' }
  await database.write((trx) => setMeta(trx, PROGRESS, JSON.stringify(progress)))
}

/**
 * Tells sites the next part of what they have to be told again: all resources, what each reader has access to, and then, by
 * `service.restored`, that this was all. Returns how many events it has caused. Progress is committed together with the
 * events, so that a part is told once, whatever process is killed meanwhile.
 */
export async function continueResync(database: EnvironmentDatabase, now: Seconds): Promise<number> {
  if ((await readMeta(database.read, PROGRESS)) === undefined) return 0
  return await database.write(
    async (trx) => {
      const progress = await lockProgress(trx)
      if (!progress) return 0
      const { changes, next } = await planNext(trx, progress, now)
      reportChanges(trx, changes)
      if (next) await setMeta(trx, PROGRESS, JSON.stringify(next))
      else await deleteRows(trx, 'meta', { name: PROGRESS })
      // A step without events still leads to the next one.
      return changes.length + (next ? 1 : 0)
    },
    { batch: true },
  )
}

async function lockProgress(trx: Trx): Promise<Progress | undefined> {
  const row = await trx
    .selectFrom('meta')
    .select('value')
    .where('name', '=', PROGRESS)
    .forUpdate()
    .executeTakeFirst()
  return row && (JSON.parse(row.value) as Progress)
}

interface Step {
  changes: CollectedChange[]
  /** Undefined if everything has been told. */
  next: Progress | undefined
}

async function planNext(trx: Trx, progress: Progress, now: Seconds): Promise<Step> {
  const { aid, part, sequence } = progress
  const cause = { aid, at: now, actor: 'worker' } as const
  switch (part) {
    case 'resources': {
      const rids = await listAfter(trx, 'resources', 'rid', progress)
      const changes = rids.map((rid) => ({ ...cause, rid, action: 'resource told again' as const }))
      return { changes, next: advance(progress, rids, 'readers') }
    }
    case 'readers': {
      const uids = await listAfter(trx, 'users', 'uid', progress)
      const changes = await reportReaders(trx, uids, cause, sequence)
      return { changes, next: advance(progress, uids, 'end') }
    }
    case 'end': {
      // In a transaction of its own, so that it comes after all others.
      const told = { data: { aid, sequence } }
      const changes = aid === '' ? [] : [{ ...cause, action: 'all told again' as const, told }]
      return { changes, next: await startNext(trx, progress) }
    }
  }
}

const advance = (progress: Progress, told: readonly string[], then: Progress['part']): Progress => {
  const last = told.length < BATCH_SIZE ? undefined : told.at(-1)
  return last === undefined ? { ...progress, part: then, after: '' } : { ...progress, after: last }
}

async function startNext(trx: Trx, { aid, sequence }: Progress): Promise<Progress | undefined> {
  const next = await trx
    .selectFrom('applications')
    .select('aid')
    .where('aid', '>', aid)
    .where('archived', 'is', null)
    .orderBy('aid')
    .limit(1)
    .executeTakeFirst()
  return next && { sequence, aid: next.aid, part: 'resources', after: '' }
}

async function listAfter(
  trx: Trx,
  table: 'resources' | 'users',
  name: 'rid' | 'uid',
  { aid, after }: Progress,
): Promise<string[]> {
  const { rows } = await sql<{
    name: string
  }>`select ${sql.ref(name)} as name from ${sql.table(table)}
    where aid = ${aid} and ${sql.ref(name)} > ${after}
    order by ${sql.ref(name)} limit ${sql.lit(BATCH_SIZE)}`.execute(trx)
  return rows.map((row) => row.name)
}

/** Locks the readers: nothing may be told of somebody who is erased meanwhile. Their events get numbers above those from
 * before the restore, or sites would forget them again. */
async function reportReaders(
  trx: Trx,
  uids: readonly string[],
  cause: Pick<CollectedChange, 'aid' | 'at' | 'actor'>,
  restoredAt: Millis,
): Promise<CollectedChange[]> {
  const users = await lockRows(trx, 'users', { aid: cause.aid, uid: uids }, 'uid')
  const told = users.filter(({ erased }) => erased === null).map(({ uid }) => uid)
  await raiseReaderSequences(trx, cause.aid, told, restoredAt)
  return told.map((uid) => ({ ...cause, uid, action: 'reader told again' }))
}
