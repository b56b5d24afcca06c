import type { Command } from 'commander'
import { type Context, ENVIRONMENTS, type Environment } from '../../context.ts'
import {
  type SubscriptionWithUser,
  searchSubscriptions,
} from '../../domain/subscriptions/search.ts'
import {
  findOpenSubscription,
  findSubscription,
  findSubscriptionById,
  type SubscriptionRow,
} from '../../domain/subscriptions/subscriptions.ts'
import { findUidByRef } from '../../domain/users/user-ref.ts'
import { fail, OperatorError } from '../../errors.ts'
import { formatTime } from '../../format-time.ts'
import { subscriptionDetails } from '../../records/subscription.ts'
import { getEnvironment } from '../context.ts'
import { aidOption, ridOption, userRefOption } from '../options.ts'
import { formatRecord, type Output } from '../output.ts'

/** Adds the ways to identify a subscription: by its id, or by application, resource and user. */
export function addKeyOptions(command: Command): Command {
  return command
    .argument('[id]', 'its id, unless --aid, --rid and --user-ref are given')
    .addOption(aidOption())
    .addOption(ridOption())
    .addOption(userRefOption())
}

export interface SubscriptionKey extends Output {
  aid?: string
  rid?: string
  userRef?: string
}

export interface Found {
  env: Environment
  row: SubscriptionRow
}

export async function findSubscriptionByKey(
  ctx: Context,
  id: string | undefined,
  options: SubscriptionKey,
): Promise<Found> {
  const { aid, rid, userRef } = options
  if (id !== undefined && rid === undefined && userRef === undefined) {
    return await findById(ctx, id, aid)
  }
  if (id !== undefined || aid === undefined || rid === undefined || userRef === undefined) {
    throw new OperatorError(
      'pass either the id of the subscription, or --aid, --rid and --user-ref',
    )
  }
  const env = await getEnvironment(ctx, aid)
  const { read } = env.database
  const uid = await findUidByRef(read, aid, userRef)
  const open = uid === undefined ? undefined : await findOpenSubscription(read, { aid, rid, uid })
  const window = { offset: 0, limit: 1 }
  const row = open ?? (await searchSubscriptions(read, { aid, rid, userRef }, window)).rows[0]
  if (!row) throw fail('subscription_not_found', `${userRef} has no subscription to ${rid}.`)
  return { env, row }
}

/** Searches both environments, since the id doesn't say which one the subscription belongs to. */
async function findById(ctx: Context, id: string, aid: string | undefined): Promise<Found> {
  for (const name of ENVIRONMENTS) {
    const env = ctx.environments[name]
    const { read } = env.database
    const row = await (aid === undefined
      ? findSubscriptionById(read, id)
      : findSubscription(read, aid, id))
    if (row) return { env, row }
  }
  throw fail('subscription_not_found', `There is no subscription with the id ${id}.`)
}

export const toView = (env: Environment, row: SubscriptionWithUser) => ({
  ...subscriptionDetails(row),
  environment: env.name,
})

export type View = ReturnType<typeof toView>

export function recordOf(data: View): string {
  const times = ['created', 'current_period_start', 'current_period_end', 'canceled'] as const
  const later = ['trial_ends', 'ended', 'next_due'] as const
  const spoken = [...times, ...later].flatMap((name) => {
    const at = data[name]
    return at === undefined ? [] : [[name, formatTime(at)]]
  })
  return formatRecord({ ...data, ...Object.fromEntries(spoken) })
}
