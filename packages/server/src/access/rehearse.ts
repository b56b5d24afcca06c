import type { Trx } from '../db/database.ts'
import type { Seconds } from '../db/tables.ts'
import { planGrant } from './grant-plan.ts'
import { type GrantState, loadGrantStates } from './grant-state.ts'
import type { GrantWish, Times } from './grant-wish.ts'

/** What a grant would do. */
export interface GrantEffect {
  /** `changed`: neither sooner nor later over, but with other tags or another reference. */
  outcome: 'new' | 'extended' | 'shortened' | 'changed' | 'unchanged'
  /** Null for somebody who is not known yet. */
  uid: string | null
  endsBefore: Seconds | null
  ends: Seconds
  /** Whether it calls for a mail. */
  mail: boolean
}

/** Refuses what a grant refuses. Writes nothing, but looks at what is locked, as the grant would. */
export async function rehearseGrant(trx: Trx, times: Times, wish: GrantWish): Promise<GrantEffect> {
  const [state] = (await loadGrantStates(trx, [wish])) as [GrantState]
  const plan = planGrant(state, wish, times)
  const before = state.access?.ends
  const ends = (plan.newAccess ?? plan.changedAccess)?.ends ?? before ?? wish.ends
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
