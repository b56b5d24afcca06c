import type { Db, Trx } from '../../db/database.ts'
import { deleteRows, findRow } from '../../db/queries/rows.ts'
import type { ApplicationTable, ControlTables, Millis } from '../../db/tables.ts'
import { fail, invalid, requireFound } from '../../errors.ts'
import { getApplication } from '../apps/applications.ts'
import {
  type AppInEnvironment,
  type CopyContext,
  type Direction,
  type EnvironmentName,
  otherEnvironment,
} from './context.ts'

type ControlDb = Db<ControlTables>
type ControlTrx = Trx<ControlTables>

/** The AIDs of two applications that belong together. */
export type Pair = Readonly<Record<EnvironmentName, string>>

/** An application and the AID of its counterpart. */
export interface Counterpart {
  environment: EnvironmentName
  aid: string
  /** Undefined if there is no such application, for example because only one environment was restored. */
  app: ApplicationTable | undefined
}

const columnOf = (name: EnvironmentName) => `${name}_aid` as const

async function findPair(db: ControlDb, { env, aid }: AppInEnvironment): Promise<Pair | undefined> {
  const row = await findRow(db, 'application_pairs', { [columnOf(env.name)]: aid })
  return row && { production: row.production_aid, sandbox: row.sandbox_aid }
}

/** Finds the application that one is paired with in the other environment. */
export async function findCounterpart(
  ctx: CopyContext,
  app: AppInEnvironment,
): Promise<Counterpart | undefined> {
  const pair = await findPair(ctx.control.read, app)
  if (!pair) return undefined
  const environment = otherEnvironment(app.env.name)
  const aid = pair[environment]
  const { read } = ctx.environments[environment].database
  return { environment, aid, app: await findRow(read, 'applications', { aid }) }
}

/** Maps every paired application to its counterpart, both ways. */
export async function listCounterparts(db: ControlDb): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('application_pairs').selectAll().execute()
  return new Map(
    rows.flatMap(({ production_aid, sandbox_aid }) => [
      [production_aid, sandbox_aid] as const,
      [sandbox_aid, production_aid] as const,
    ]),
  )
}

/** Lists the applications that one can be paired with: those of the other environment that are in no pair. */
export async function listCandidates(
  ctx: CopyContext,
  { env }: Pick<AppInEnvironment, 'env'>,
): Promise<ApplicationTable[]> {
  const environment = otherEnvironment(env.name)
  const taken = await listCounterparts(ctx.control.read)
  const apps = await ctx.environments[environment].database.read
    .selectFrom('applications')
    .selectAll()
    .where('archived', 'is', null)
    .orderBy('name')
    .orderBy('aid')
    .execute()
  return apps.filter(({ aid }) => !taken.has(aid))
}

/** Pairs two applications for good. Pairing the same two again changes nothing. */
export async function pairApplications(
  ctx: CopyContext,
  one: AppInEnvironment,
  otherAid: string,
  now: Millis,
): Promise<Pair> {
  const other = { env: ctx.environments[otherEnvironment(one.env.name)], aid: otherAid }
  await requireActive(one)
  await requireActive(other).catch(() => {
    throw invalid('with', `must be an application of ${other.env.name} that is not archived`)
  })
  const pair = { [one.env.name]: one.aid, [other.env.name]: other.aid } as unknown as Pair
  const stale = [await findStalePair(ctx, one), await findStalePair(ctx, other)]
  await ctx.control.write(async (trx) => {
    for (const old of stale) if (old) await removePair(trx, old)
    if (await insertPair(trx, pair, now)) return
    const found = await findPair(trx, one)
    if (found?.[other.env.name] !== other.aid) throw fail('already_paired')
  })
  return pair
}

async function requireActive({ env, aid }: AppInEnvironment): Promise<void> {
  const { archived } = await getApplication(env.database.read, aid)
  if (archived !== null) throw fail('application_not_found')
}

/** Finds a pair whose other application is gone. Such a pair doesn't prevent a new one. */
async function findStalePair(ctx: CopyContext, app: AppInEnvironment): Promise<Pair | undefined> {
  const counterpart = await findCounterpart(ctx, app)
  if (!counterpart || counterpart.app) return undefined
  return await findPair(ctx.control.read, app)
}

/** Returns false if one of the two is in a pair already. */
async function insertPair(trx: ControlTrx, pair: Pair, now: Millis): Promise<boolean> {
  const row = { production_aid: pair.production, sandbox_aid: pair.sandbox, created_at: now }
  const inserted = await trx
    .insertInto('application_pairs')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('production_aid')
    .execute()
  return inserted.length > 0
}

async function removePair(trx: ControlTrx, pair: Pair): Promise<void> {
  await deleteRows(trx, 'application_pairs', {
    production_aid: pair.production,
    sandbox_aid: pair.sandbox,
  })
}

/** Ends the pairing of an application, from either side. Returns false if there was none. */
export async function endPairing(ctx: CopyContext, app: AppInEnvironment): Promise<boolean> {
  return await ctx.control.write(async (trx) => {
    const pair = await findPair(trx, app)
    if (pair) await removePair(trx, pair)
    return pair !== undefined
  })
}

/** Returns the way from an application to its counterpart. Throws if nothing can be copied there. */
export async function getDirection(ctx: CopyContext, from: AppInEnvironment): Promise<Direction> {
  const counterpart = requireFound(await findCounterpart(ctx, from), 'not_paired')
  const { environment, aid, app } = counterpart
  if (!app) throw fail('pair_missing')
  const { archived } = await getApplication(from.env.database.read, from.aid)
  if (app.archived !== null || archived !== null) throw fail('pair_archived')
  return { from, to: { env: ctx.environments[environment], aid } }
}

/** Finds the pairs of which an application is gone. */
export async function findBrokenPairs(ctx: CopyContext): Promise<(Pair & { gone: string[] })[]> {
  const rows = await ctx.control.read.selectFrom('application_pairs').selectAll().execute()
  const known = new Set<string>()
  for (const { name, database } of Object.values(ctx.environments)) {
    const apps = await database.read.selectFrom('applications').select('aid').execute()
    for (const { aid } of apps) known.add(`${name} ${aid}`)
  }
  return rows.flatMap(({ production_aid: production, sandbox_aid: sandbox }) => {
    const pair = { production, sandbox }
    const gone = (['production', 'sandbox'] as const)
      .filter((name) => !known.has(`${name} ${pair[name]}`))
      .map((name) => pair[name])
    return gone.length > 0 ? [{ ...pair, gone }] : []
  })
}
