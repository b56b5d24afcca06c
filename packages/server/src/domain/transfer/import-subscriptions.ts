import type { EnvironmentDatabase, Trx } from '../../db/database.ts'
import type { AccessTable, Seconds } from '../../db/tables.ts'
import { Failure, fail, invalid } from '../../errors.ts'
import { newSortedId } from '../../ids.ts'
import { addPaidSource, lockOrCreateAccess } from '../access/sources.ts'
import { recordHistory } from '../history/history.ts'
import { addPeriods } from '../resources/periods.ts'
import { getResource } from '../resources/resources.ts'
import { findOpenSubscription, type SubscriptionRow } from '../subscriptions/subscriptions.ts'
import { resolveBuyer } from '../users/buyer.ts'
import { addReference } from '../users/change.ts'
import { emailKey } from '../users/email.ts'
import { findUserByEmail } from '../users/user-email.ts'
import type { UserRow } from '../users/users.ts'
import type { CsvFile } from './csv.ts'
import { readSubscription, type SubscriptionRowInput } from './subscription-columns.ts'

/** The actor in the history of imported subscriptions. */
const ACTOR = 'import'

export interface SubscriptionImport {
  aid: string
  /** The payment provider of this environment; undefined if there is none. */
  provider: string | undefined
  /** Whether the import sends events to sites. */
  events?: boolean | undefined
  now: Seconds
}

export interface WrongRow {
  /** The line where the row begins, counted from 1. */
  line: number
  reason: string
}

export interface ImportedSubscriptions {
  rows: number
  imported: number
  /** Rows whose reader already has a subscription to the resource, which is left unchanged. */
  unchanged: number
  wrong: WrongRow[]
}

/** Thrown to roll back a dry run or an import with wrong rows; carries the outcome. */
class RollBack extends Error {
  readonly outcome: ImportedSubscriptions
  constructor(outcome: ImportedSubscriptions) {
    super('rolled back')
    this.outcome = outcome
  }
}

/** Imports all subscriptions of a file, or none. No mails are sent. */
export async function importSubscriptionFile(
  database: EnvironmentDatabase,
  file: CsvFile,
  options: SubscriptionImport & { dryRun: boolean },
): Promise<ImportedSubscriptions> {
  try {
    return await database.write(
      async (trx) => {
        const outcome = await importSubscriptions(trx, file, options)
        if (options.dryRun || outcome.wrong.length > 0) throw new RollBack(outcome)
        return outcome
      },
      { batch: true, silent: !options.events },
    )
  } catch (error) {
    if (error instanceof RollBack) return error.outcome
    throw error
  }
}

/** Processes all rows even if some are wrong, so that every error is reported in one run. */
async function importSubscriptions(
  trx: Trx,
  file: CsvFile,
  options: SubscriptionImport,
): Promise<ImportedSubscriptions> {
  const outcome: ImportedSubscriptions = { rows: 0, imported: 0, unchanged: 0, wrong: [] }
  const lines = new Map<string, number>()
  for await (const { line, cells } of file.rows()) {
    outcome.rows++
    try {
      const input = readSubscription(file.header, cells)
      requireOnce(lines, input, line)
      outcome[(await importSubscription(trx, input, options)) ? 'imported' : 'unchanged']++
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      outcome.wrong.push({ line, reason: error.message })
    }
  }
  return outcome
}

function requireOnce(lines: Map<string, number>, input: SubscriptionRowInput, line: number): void {
  const key = `${emailKey(input.email)} ${input.rid}`
  const earlier = lines.get(key)
  if (earlier !== undefined) {
    throw fail('invalid_parameter', `Line ${earlier} has the same reader and resource.`)
  }
  lines.set(key, line)
}

/** Returns false if the reader already has a subscription to the resource. */
async function importSubscription(
  trx: Trx,
  input: SubscriptionRowInput,
  { aid, provider, now }: SubscriptionImport,
): Promise<boolean> {
  const { rid } = input
  await getResource(trx, aid, rid)
  const known = await findUserByEmail(trx, aid, input.email)
  if (known && (await findOpenSubscription(trx, { aid, rid, uid: known.uid }))) return false
  requireCurrent(input, now)
  requireChargeable(input, provider)
  const { user, userRef } = await resolveReader(trx, aid, input, now)
  const { amount, currency } = input
  const access = await lockOrCreateAccess(
    trx,
    { aid, rid, uid: user.uid, userRef, paid: { amount, currency } },
    now,
  )
  const row = subscriptionOf(input, access, provider, now)
  await trx.insertInto('subscriptions').values(row).execute()
  const source = { kind: 'subscription' as const, subscription_id: row.id }
  const ends = await addPaidSource(trx, access, { ...source, ends: row.current_period_end }, now)
  await recordImport(trx, row, access, ends, now)
  return true
}

/** A subscription whose period is over would be charged, or would end, immediately after the import. */
function requireCurrent({ currentPeriodEnd }: SubscriptionRowInput, now: Seconds): void {
  if (currentPeriodEnd > now) return
  throw invalid('current_period_end', 'in the past')
}

function requireChargeable(input: SubscriptionRowInput, provider: string | undefined): void {
  const { method } = input
  if (method === undefined) {
    if (input.provider === undefined) return
    throw invalid('provider', 'needs a method')
  }
  if (provider === undefined || (input.provider ?? provider) !== provider) {
    const wanted = input.provider ?? 'the provider of this method'
    throw invalid('provider', `${wanted} is not the payment provider of this installation`)
  }
  if (provider === 'stripe' && !/^cus_\w+:\w+(?::[a-z_]+)?$/.test(method)) {
    throw invalid('method', "must be Stripe's customer and payment method, like cus_1:pm_2")
  }
}

/** Applies the rules of a grant: the email identifies the reader, and the reference must not be anybody else's. */
async function resolveReader(
  trx: Trx,
  aid: string,
  input: SubscriptionRowInput,
  now: Seconds,
): Promise<{ user: UserRow; userRef: string | undefined }> {
  const buyer = { aid, userRef: undefined, vouchedEmail: input.email, typedEmail: undefined }
  const { user } = await resolveBuyer(trx, { ...buyer, firstName: '', lastName: '' }, now, ACTOR)
  if (input.userRef === undefined || input.userRef === user.uid) return { user, userRef: undefined }
  await addReference(trx, { aid, uid: user.uid, actor: ACTOR }, input.userRef, now)
  return { user, userRef: input.userRef }
}

function subscriptionOf(
  input: SubscriptionRowInput,
  access: AccessTable,
  provider: string | undefined,
  now: Seconds,
): SubscriptionRow {
  const { amount, currency, period, currentPeriodEnd: ends, status, method } = input
  // Never in the future, whatever the file says.
  const created = Math.min(input.created ?? now, now)
  return {
    id: newSortedId(),
    aid: access.aid,
    rid: access.rid,
    uid: access.uid,
    access_id: access.id,
    amount,
    currency,
    period,
    status,
    created,
    trial_ends: null,
    ...countFrom(created, period, ends),
    current_period_start: Math.min(now, Math.max(created, addPeriods(ends, period, -1))),
    current_period_end: ends,
    canceled: status === 'canceled' ? now : null,
    ended: null,
    next_due: ends,
    next_step: status === 'canceled' ? 'end' : 'renew',
    tries: 0,
    provider: provider ?? 'none',
    method: method ?? null,
  }
}

/** Counts periods from the creation if they have run evenly since, so that a subscription of the 31st returns to that
 * day; otherwise from the end of the current period. */
function countFrom(
  created: Seconds,
  period: string,
  ends: Seconds,
): { anchor: Seconds; periods: number } {
  const many = 48
  const average = (addPeriods(created, period, many) - created) / many
  const periods = Math.round((ends - created) / average)
  const isEven = periods > 0 && addPeriods(created, period, periods) === ends
  return isEven ? { anchor: created, periods } : { anchor: ends, periods: 0 }
}

async function recordImport(
  trx: Trx,
  row: SubscriptionRow,
  access: AccessTable,
  ends: Seconds,
  now: Seconds,
): Promise<void> {
  const { aid, uid, rid } = row
  const { id: subscription, status, current_period_end } = row
  await recordHistory(trx, [
    {
      ...{ aid, uid, rid, accessId: access.id, at: now, actor: ACTOR },
      action: 'imported',
      ...(access.ends > now ? { before: { ends: access.ends } } : {}),
      after: { subscription, status, current_period_end, ends },
    },
  ])
}
