import { INSTALLATION } from '../../db/installation.ts'
import { OperatorError } from '../../errors.ts'
import type { Databases } from '../backup/databases.ts'
import type { Row } from '../backup/pages.ts'
import { SERVED_ADDRESS } from '../installation/address.ts'
import { returnToFiles } from '../installation/generations.ts'
import { STAFF_LOCK } from '../staff/staff.ts'
import { type Digests, differencesOf, digestAll, type Ignored } from './digest.ts'
import { finishMove, type OnProgress } from './move.ts'
import { isMarkedAsMoved, unmarkAsMoved } from './moved-marker.ts'
import { requireSameTables } from './source.ts'
import {
  asTargetError,
  beginUndo,
  endMove,
  readInstallation,
  requireUnserved,
  type TargetState,
  targetStateOf,
} from './target.ts'

/** A moved installation: its old files and its new database. */
interface MovedPlan {
  source: Databases
  target: Databases
  folder: string
  onProgress: OnProgress
}

async function requireMovedThere({ source, target }: MovedPlan): Promise<TargetState> {
  const installation = await readInstallation(source.control)
  const state = await asTargetError(() => targetStateOf(target, installation ?? ''))
  if (state === 'begun' || state === 'over' || state === 'undoing') return state
  throw new OperatorError('--to: this installation was moved to another database')
}

const META_OF_START: readonly unknown[] = [SERVED_ADDRESS, INSTALLATION, STAFF_LOCK]

/** Rows that a start writes by itself, so nothing is lost with them. An unused setup link is created again by the
 * next start. */
const isWrittenByStart: Ignored = ({ database, table }, row) => {
  if (table === 'meta') return META_OF_START.includes(row.name)
  return database === 'control' && table === 'staff_links' && isUnusedSetup(row)
}

const isUnusedSetup = ({ kind, used_at }: Row) => kind === 'setup' && used_at === null

/** Finds the tables that have changed since the move. */
async function compare(
  { source, target, onProgress }: MovedPlan,
  isIgnored?: Ignored,
): Promise<{
  digests: Digests
  different: string[]
}> {
  await requireSameTables(source, target)
  const digests = await digestAll(source, (n) => onProgress('copied', n), isIgnored)
  const found = await asTargetError(() =>
    digestAll(target, (n) => onProgress('verified', n), isIgnored),
  )
  return { digests, different: differencesOf(digests, found) }
}

interface ResumeResult {
  /** Undefined if verification was not requested. */
  verified: Digests | undefined
  /** Tables that have changed since the move. */
  different: string[]
}

/** Completes a move that was interrupted at its last step, or whose undo was interrupted; verifies a completed move if
 * requested. */
export async function resumeMove(plan: MovedPlan, verify: boolean): Promise<ResumeResult> {
  const state = await requireMovedThere(plan)
  // The copy was complete before the undo began, and may have been used since the move.
  if (state === 'undoing') await finishMove(plan.target)
  if (state !== 'begun' && !verify) return { verified: undefined, different: [] }
  const { digests, different } = await compare(
    plan,
    state === 'begun' ? undefined : isWrittenByStart,
  )
  if (state === 'begun') {
    if (different.length > 0) throw new OperatorError(`--to: the copy differs in ${different}`)
    await finishMove(plan.target)
  }
  return { verified: digests, different }
}

/** Makes the SQLite files usable again, provided that nothing has happened in PostgreSQL. */
export async function undoMove(plan: MovedPlan): Promise<void> {
  const { source, target, folder } = plan
  const state = await requireMovedThere(plan)
  const installation = (await readInstallation(source.control)) as string
  // From now on, no service can start on the target.
  await asTargetError(() => beginUndo(target, installation))
  try {
    await requireUntouched(plan)
    await returnToFiles(source, folder)
    unmarkAsMoved(folder)
  } catch (error) {
    // The data stays in PostgreSQL, unless the files here are in use again.
    if (state !== 'begun' && isMarkedAsMoved(folder)) await asTargetError(() => endMove(target))
    throw error
  }
}

async function requireUntouched(plan: MovedPlan): Promise<void> {
  await asTargetError(() => requireUnserved(plan.target))
  const { different } = await compare(plan, isWrittenByStart)
  if (different.length > 0) {
    throw new OperatorError(
      `--to: the data there was changed since the move (in ${different.join(', ')}); ` +
        'undoing the move would lose that',
    )
  }
  // An idle service may have had no connection at the first check.
  await asTargetError(() => requireUnserved(plan.target))
}
