import type { Databases } from '../backup/databases.ts'
import type { Row } from '../backup/pages.ts'
import { INSTALLATION } from '../db/installation.ts'
import { Stop } from '../errors.ts'
import { SERVED_ADDRESS } from '../installation/address.ts'
import { returnToFiles } from '../installation/generations.ts'
import { type Digests, differencesOf, digestAll, type Ignored } from './digest.ts'
import { isMarked, unmarkMoved } from './mark.ts'
import { finish, type Watch } from './move.ts'
import { requireSameTables } from './source.ts'
import {
  beginUndo,
  endMove,
  readInstallation,
  requireUnserved,
  stateOf,
  type TargetState,
  there,
} from './target.ts'

/** An installation that was moved, where it was, and where it is. */
interface MovedPlan {
  source: Databases
  target: Databases
  folder: string
  watch: Watch
}

async function requireMovedThere({ source, target }: MovedPlan): Promise<TargetState> {
  const installation = await readInstallation(source.control)
  const state = await there(() => stateOf(target, installation ?? ''))
  if (state === 'begun' || state === 'over' || state === 'undoing') return state
  throw new Stop('--to: this installation was moved to another database')
}

/** Rows that a start writes by itself: nothing is lost with them. A set-up link that nobody has used is made
 * anew by the next start. */
const isOfStart: Ignored = ({ database, table }, row) => {
  if (table === 'meta') return row.name === SERVED_ADDRESS || row.name === INSTALLATION
  return database === 'control' && table === 'staff_links' && isUnusedSetup(row)
}

const isUnusedSetup = ({ kind, used_at }: Row) => kind === 'setup' && used_at === null

/** The tables that are not what they were when they were moved. */
async function compare(
  { source, target, watch }: MovedPlan,
  isIgnored?: Ignored,
): Promise<{
  digests: Digests
  different: string[]
}> {
  await requireSameTables(source, target)
  const digests = await digestAll(source, (n) => watch('copied', n), isIgnored)
  const found = await there(() => digestAll(target, (n) => watch('verified', n), isIgnored))
  return { digests, different: differencesOf(digests, found) }
}

interface Again {
  /** Undefined where nobody asked. */
  verified: Digests | undefined
  /** Tables that have changed since. */
  different: string[]
}

/** Finishes a move that was stopped at its last step, or whose undoing was; verifies one that is over
 * if that is asked. */
export async function moveAgain(plan: MovedPlan, verify: boolean): Promise<Again> {
  const state = await requireMovedThere(plan)
  // It was whole when it was to be undone, and may have been used since it came there.
  if (state === 'undoing') await finish(plan.target)
  if (state !== 'begun' && !verify) return { verified: undefined, different: [] }
  const { digests, different } = await compare(plan, state === 'begun' ? undefined : isOfStart)
  if (state === 'begun') {
    if (different.length > 0) throw new Stop(`--to: the copy is not the same in ${different}`)
    await finish(plan.target)
  }
  return { verified: digests, different }
}

/** Lets the SQLite files be used again, as long as nothing has happened in PostgreSQL. */
export async function undoMove(plan: MovedPlan): Promise<void> {
  const { source, target, folder } = plan
  const state = await requireMovedThere(plan)
  const installation = (await readInstallation(source.control)) as string
  // From now on no service starts there.
  await there(() => beginUndo(target, installation))
  try {
    await requireUntouched(plan)
    await returnToFiles(source, folder)
    unmarkMoved(folder)
  } catch (error) {
    // It stays where it is, unless the files here are in use again.
    if (state !== 'begun' && isMarked(folder)) await there(() => endMove(target))
    throw error
  }
}

async function requireUntouched(plan: MovedPlan): Promise<void> {
  await there(() => requireUnserved(plan.target))
  const { different } = await compare(plan, isOfStart)
  if (different.length > 0) {
    throw new Stop(
      `--to: something has happened there since the move (in ${different.join(', ')}), ` +
        'and would be lost',
    )
  }
  // One that does nothing may have had no connection at the first look.
  await there(() => requireUnserved(plan.target))
}
