import type { Trx } from '../../../db/database.ts'
import { Failure } from '../../../errors.ts'
import { emailKey } from '../../users/email.ts'
import { type AccessRow, getAccessById } from '../details.ts'
import { applyPlans } from './apply.ts'
import type { Clocks, Grant } from './input.ts'
import { type GrantPlan, planGrant } from './plan.ts'
import { type GrantState, loadGrantStates, refsIn } from './state.ts'

export interface Granted
  extends Pick<GrantPlan, 'accessId' | 'isUnannounced' | 'endsBefore' | 'ends'> {
  changed: boolean
  isNew: boolean
}

/** The changes that a grant made, or the reason why it was refused. */
export type GrantOutcome = Granted | Failure

export async function grantAccess(trx: Trx, input: Grant, clocks: Clocks): Promise<AccessRow> {
  const [outcome] = (await grantMany(trx, [input], clocks)) as [GrantOutcome]
  if (outcome instanceof Failure) throw outcome
  return await getAccessById(trx, input.aid, outcome.accessId)
}

/** Grants a batch, all of one application. A refused grant does not affect the others. */
export async function grantMany(
  trx: Trx,
  grants: readonly Grant[],
  clocks: Clocks,
): Promise<GrantOutcome[]> {
  const outcomes: GrantOutcome[] = []
  const runs = independentRuns(grants)
  for (let run = runs.shift(); run; run = runs.shift()) {
    const found = await loadGrantStates(
      trx,
      run.map((index) => grants[index] as Grant),
    )
    // Two references in one run can name the same user. Later grants to that user go into a run of their own.
    const again = findRepeats(found)
    if (again.includes(true)) runs.unshift(run.filter((_, i) => again[i]))
    run = run.filter((_, i) => !again[i])
    const states = found.filter((_, i) => !again[i])
    const runGrants = run.map((index) => grants[index] as Grant)
    const planned = runGrants.map((input, i) =>
      attempt(() => planGrant(states[i] as GrantState, input, clocks)),
    )
    const plans = planned.filter((plan): plan is GrantPlan => !(plan instanceof Failure))
    await applyPlans(trx, plans, clocks)
    for (const [i, plan] of planned.entries()) {
      outcomes[run[i] as number] = plan instanceof Failure ? plan : grantedBy(plan)
    }
  }
  return outcomes
}

const grantedBy = ({ accessId, isUnannounced, endsBefore, ends, ...plan }: GrantPlan): Granted => ({
  ...{ accessId, isUnannounced, endsBefore, ends },
  changed: plan.changes.length > 0,
  isNew: plan.newAccess !== undefined,
})

/** Whether an earlier state of the list has the same user, for each of them. */
function findRepeats(states: readonly GrantState[]): boolean[] {
  const seen = new Set<string>()
  return states.map(({ user }) => {
    if (user === undefined) return false
    const isRepeat = seen.has(user.uid)
    seen.add(user.uid)
    return isRepeat
  })
}

function attempt(plan: () => GrantPlan): GrantPlan | Failure {
  try {
    return plan()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

/** Sorts the grants, by index, into runs in which no person is named twice, so that each plan can rely on the loaded
 * state. Grants that name the same person keep their order. */
function independentRuns(grants: readonly Grant[]): number[][] {
  const runs: number[][] = []
  const nextRun = new Map<string, number>()
  for (const [index, input] of grants.entries()) {
    const names = namesIn(input)
    const at = Math.max(...names.map((name) => nextRun.get(name) ?? 0))
    const run = runs[at] ?? []
    run.push(index)
    runs[at] = run
    for (const name of names) nextRun.set(name, at + 1)
  }
  return runs
}

/** References and uids share one key space, because a reference must never equal another user's uid. */
function namesIn(input: Grant): string[] {
  const { id, uid, formerAddresses = [] } = input.preserve ?? {}
  const names = [...refsIn(input), ...(uid === undefined ? [] : [uid])]
  return [
    ...[input.email, ...formerAddresses].map((email) => `email ${emailKey(email)}`),
    ...names.map((name) => `name ${name}`),
    ...(id === undefined ? [] : [`id ${id}`]),
  ]
}
