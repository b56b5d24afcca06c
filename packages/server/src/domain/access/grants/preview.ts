import type { Trx } from '../../../db/database.ts'
import type { Seconds } from '../../../db/tables.ts'
import type { Clocks, Grant } from './input.ts'
import { planGrant } from './plan.ts'
import { type GrantState, loadGrantStates } from './state.ts'

/** The changes that a grant would make. */
export interface PreviewedGrant {
  /** `changed`: same end, but other tags, another reference, or a changed grant (its own end or its message). */
  outcome: 'new' | 'extended' | 'shortened' | 'changed' | 'unchanged'
  /** Null for a user who does not exist yet. */
  uid: string | null
  endsBefore: Seconds | null
  ends: Seconds
  /** Whether the grant would send a mail. */
  mail: boolean
}

/** Throws where the grant would. Writes nothing, but takes the same row locks. */
export async function previewGrant(
  trx: Trx,
  input: Grant,
  clocks: Clocks,
): Promise<PreviewedGrant> {
  const [state] = (await loadGrantStates(trx, [input])) as [GrantState]
  const plan = planGrant(state, input, clocks)
  const before = state.access?.ends
  const ends = (plan.newAccess ?? plan.changedAccess)?.ends ?? before ?? input.ends
  const isChanged = plan.changes.some(({ action }) => action === 'granted')
  return {
    outcome: before === undefined ? 'new' : isChanged ? outcomeOf(before, ends) : 'unchanged',
    uid: state.user?.uid ?? null,
    endsBefore: before ?? null,
    ends,
    mail: plan.mail !== undefined,
  }
}

const outcomeOf = (before: Seconds, ends: Seconds) =>
  ends === before ? 'changed' : ends > before ? 'extended' : 'shortened'
