import { setTimeout as sleep } from 'node:timers/promises'
import type { Millis } from '../../../../db/tables.ts'
import { Failure } from '../../../../errors.ts'
import type { ChargeOrder, Money } from '../../provider.ts'
import { ProviderError } from '../../provider-error.ts'
import type { StripeApi } from '../api.ts'
import { IdempotencyKeyReused } from '../errors.ts'
import { encodeSavedCard } from '../saved-card.ts'
import type { RehearsalApi } from './api.ts'
import type { Answer, Recorder } from './recorder.ts'

/** What the steps share and pass on to each other. */
export interface Rehearsal {
  /** Names all that this run creates. */
  run: string
  api: StripeApi
  more: RehearsalApi
  recorder: Recorder
  /** Where Stripe should send its events; undefined if it can't reach this installation. */
  webhookUrl: string | undefined
  /** Base URL of a Stripe replacement. */
  apiOverride: string | undefined
  /** How long a step waits for what Stripe does later. */
  waitMs: Millis
  sale: Partial<Sale>
}

/** What earlier steps have created. Cards are named as in `CheckoutFinding.method`, charges by Stripe's id. */
interface Sale {
  customer: string
  card: string
  charge: string
  paymentPage: string
  setupPage: string
  declined: ChargeOrder
  detachedCard: string
  deletedCustomer: string
  partlyRefundable: string
  disputed: string
  inquired: string
}

type Expectable = Omit<Answer, 'call' | 'object' | 'request'>

/** What the imitation of Stripe does that all tests run against. */
export interface Expected {
  /** Stripe's answer, as far as it matters; undefined for a code that must be absent. */
  answer?: { [K in keyof Expectable]?: Expectable[K] | undefined }
  /** What Gatehouse makes of it; left out if there is no name for it, or if it does not matter. */
  outcome?: string
  /** What Stripe does, as far as its answer does not show it. */
  observed?: string
}

export interface Step {
  name: string
  /** Returns what Gatehouse makes of Stripe's answer, or what there is to see. Throws a `ProviderError` if it failed. */
  run: (rehearsal: Rehearsal) => Promise<string>
  expected?: Expected
  /** A restricted key need not have the permission. */
  isOptional?: true
}

/** Large enough for Stripe's minimum in every account. */
export const AMOUNT: Money = { amount: 500, currency: 'EUR' }

export const failed = (message: string) => new ProviderError(message)

export function requireResult<K extends keyof Sale>({ sale }: Rehearsal, name: K): Sale[K] {
  const value = sale[name]
  if (value === undefined) throw failed('an earlier step has failed')
  return value as Sale[K]
}

/** Names a card of a customer as `CheckoutFinding.method` does. */
export const cardOf = (customer: string, payment_method: string) =>
  encodeSavedCard({ customer, payment_method }, undefined)

/** An order to charge a card, as a renewal makes it. `name` tells the charges of a rehearsal apart. */
export const chargeOrder = (
  { run }: Rehearsal,
  name: string,
  method: string,
  money = AMOUNT,
): ChargeOrder => ({
  aid: 'rehearsal',
  paymentId: `${run}-${name}`,
  money,
  method,
  title: 'Test of a renewal',
  labels: { installation: run, subscriptionId: run },
  refusals: 0,
})

/** Says what Gatehouse makes of a charge or a refund. */
export async function outcomeOf(
  what: 'payment' | 'refund',
  work: Promise<{ status: string; failure?: string }>,
): Promise<string> {
  try {
    const { status, failure } = await work
    return status === 'failed' ? `the ${what} fails: ${failure}` : `the ${what} is ${status}`
  } catch (error) {
    return outcomeOfError(error)
  }
}

/** Says what Gatehouse makes of an error that it has a name for. Throws all others. */
export function outcomeOfError(error: unknown): string {
  if (error instanceof IdempotencyKeyReused) return 'the key belongs to another request'
  if (error instanceof Failure) return `refused: ${error.code}`
  throw error
}

/** Looks again and again until there is something to see. */
export async function waitFor<T>(
  { waitMs }: Rehearsal,
  look: () => Promise<T | undefined>,
): Promise<{ found: T | undefined; seconds: number }> {
  const startedAt = performance.now()
  for (;;) {
    const found = await look()
    const spent = performance.now() - startedAt
    if (found !== undefined || spent >= waitMs) return { found, seconds: Math.round(spent / 1000) }
    await sleep(Math.min(LOOK_AGAIN_MS, waitMs - spent))
  }
}

const LOOK_AGAIN_MS = 2_000
