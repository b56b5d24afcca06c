import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Trx } from '../../db/database.ts'
import { readMeta, setMeta } from '../../db/meta.ts'
import { MOVE_CHECK_INTERVAL_MS } from '../../db/moved.ts'
import { errorReasonOf } from '../../db/outage.ts'
import { advanceSequences } from '../../db/postgres/sequence.ts'
import { refreshStatistics } from '../../db/postgres/statistics.ts'
import { OperatorError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { withoutCountTriggers } from '../access/counts/counting.ts'
import { type AnyTables, anyDatabase, type Databases } from '../backup/databases.ts'
import { DATABASE_NAMES, type DatabaseName, DERIVED_TABLES, tablesOf } from '../backup/tables.ts'
import { foldAllRevenue } from '../figures/sums.ts'
import { GENERATION } from '../installation/generations.ts'
import { copyTable } from './copy.ts'
import { type Digests, differencesOf, digestAll, nameOf } from './digest.ts'
import { markAsMoved } from './moved-marker.ts'
import { withWriteLocks } from './source.ts'
import {
  asTargetError,
  beginMove,
  endMove,
  nameInstallation,
  requireEmpty,
  requireUnserved,
  TARGET_NOT_EMPTY,
  targetStateOf,
  truncateExceptMoveMarker,
} from './target.ts'
import { withoutIndexes } from './without-indexes.ts'

type Phase = 'copied' | 'verified'

/** Called after each page of rows, with the number of rows so far. */
export type OnProgress = (phase: Phase, rows: number) => void

/** How long to wait until no process reads the old files: twice the interval at which they check for a move. */
const UNTIL_NOBODY_READS_MS = 2 * MOVE_CHECK_INTERVAL_MS

interface Plan {
  source: Databases
  target: Databases
  /** The folder of the SQLite files. */
  folder: string
  /** The content of the file that is put next to the SQLite files to mark them as moved. */
  note: string
  onProgress: OnProgress
}

/**
 * Moves everything from SQLite files to PostgreSQL. All rows are copied from one consistent state, and the copy is
 * verified, while writes to the SQLite files wait for a lock. Then a single file is created next to them. From that
 * moment on, every process refuses to use the SQLite files. When no process can be reading them any more, services may
 * start on PostgreSQL.
 */
export async function moveAll(plan: Plan): Promise<Digests> {
  const { source, target } = plan
  const installation = await nameInstallation(source.control, newId())
  await asTargetError(() => requireFree(target, installation))
  const digests = await withWriteLocks(source, async (locked) => {
    await asTargetError(() => claim(target, installation))
    const copied: Digests = {}
    for (const name of DATABASE_NAMES) {
      await asTargetError(() => fill(plan, name, locked[name], copied))
    }
    requireSame(
      copied,
      await asTargetError(() => digestAll(target, (n) => plan.onProgress('verified', n))),
    )
    markAsMoved(plan.folder, plan.note)
    return copied
  })
  await finishMove(target)
  return digests
}

/** Opens the new database to services. */
export async function finishMove(target: Databases): Promise<void> {
  await sleep(UNTIL_NOBODY_READS_MS)
  try {
    await endMove(target)
  } catch (error) {
    throw new OperatorError(
      `--to: all data was moved, but the last step failed (${errorReasonOf(error)}); run the command again`,
    )
  }
}

async function requireFree(target: Databases, installation: string): Promise<void> {
  const state = await targetStateOf(target, installation)
  if (state === 'empty' || state === 'begun' || state === 'undoing') return
  throw new OperatorError(TARGET_NOT_EMPTY)
}

/** Marks the target, and checks it again because it may have been filled while we waited for the locks. What an
 * unfinished or undone move of this installation has left there may be deleted. */
async function claim(target: Databases, installation: string): Promise<void> {
  const isNew = await beginMove(target, installation)
  if (!isNew) return await requireUnserved(target)
  try {
    await requireUnserved(target)
    await requireEmpty(target, installation)
  } catch (error) {
    await endMove(target)
    throw error
  }
}

async function fill(
  { target, onProgress }: Plan,
  name: DatabaseName,
  from: Db<AnyTables>,
  copied: Digests,
): Promise<void> {
  const { write, engine } = anyDatabase(target, name)
  const tables = tablesOf(name)
  const names = tables.map(({ table }) => table)
  const fillTables = async (trx: Trx<AnyTables>) => {
    for (const table of tables) {
      copied[nameOf(table)] = await copyTable(from, trx, table, (n) => onProgress('copied', n))
    }
    // The data folder does not move, and it expects the generation number that it knows.
    const generation = await readMeta(from, GENERATION)
    if (generation !== undefined) await setMeta(trx, GENERATION, generation)
  }
  const now = Math.floor(Date.now() / 1000)
  await write(
    async (trx) => {
      // Triggers and a recount fill the derived tables while the others are filled.
      await truncateExceptMoveMarker(
        trx,
        name === 'control' ? names : [...names, ...DERIVED_TABLES],
      )
      await withoutIndexes(trx, name, () => {
        if (name === 'control') return fillTables(trx)
        return withoutCountTriggers(trx as unknown as Trx, engine, now, () => fillTables(trx))
      })
      if (name !== 'control') await foldAllRevenue(trx as unknown as Trx)
      await advanceSequences(trx, engine, name)
      await refreshStatistics(trx, engine, names)
    },
    { batch: true },
  )
}

function requireSame(one: Digests, other: Digests): void {
  const different = differencesOf(one, other)
  if (different.length === 0) return
  throw new OperatorError(
    `--to: the copy differs in ${different.join(', ')}; nothing was changed here`,
  )
}
