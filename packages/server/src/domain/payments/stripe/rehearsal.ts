import { randomUUID } from 'node:crypto'
import { ProviderError } from '../provider-error.ts'
import { createStripeApi, type StripeApi } from './api.ts'
import { startCheckout } from './checkout.ts'
import type { StripeConnection } from './connection.ts'
import { IdempotencyKeyReused } from './errors.ts'
import { NEEDED_EVENTS } from './events-needed.ts'
import { readIntent } from './findings.ts'
import { findCharges } from './ledger.ts'
import { METADATA_KEYS } from './metadata.ts'
import { createRehearsalApi, type RehearsalApi } from './rehearsal-api.ts'
import type { Intent, Refund } from './schemas.ts'

/** The result of one check against the real Stripe. */
export interface RehearsalStep {
  name: string
  /** `unknown`: the key lacks the permission to check this. */
  status: 'ok' | 'failed' | 'unknown'
  message: string
}

export interface RehearsalOptions {
  /** Where Stripe should send its events. */
  webhookUrl: string
  /** Base URL of a Stripe replacement. */
  api?: string | undefined
}

/** Stripe's test card that can always be charged. */
const TEST_CARD = 'pm_card_visa'
const AMOUNT = { amount: 500, currency: 'EUR' }
const PART = 200
const HOUR_MS = 3_600_000

/** State that the steps pass on to each other. */
interface Sale {
  run: string
  customer: string
  method: string
  intent: Intent
  session: string
}

type Step = readonly [name: string, run: () => Promise<string>]

/**
 * Runs through a whole sale with Stripe's test keys, so no money moves. Each step is tried even if another has
 * failed; one that needs the result of a failed step fails too.
 */
export async function runRehearsal(
  connection: StripeConnection,
  options: RehearsalOptions,
): Promise<RehearsalStep[]> {
  const api = createStripeApi(connection)
  const more = createRehearsalApi(connection)
  const sale: Partial<Sale> & { run: string } = { run: `rehearsal-${randomUUID()}` }
  const steps: readonly Step[] = [
    ...accountSteps(api, more),
    ...checkoutSteps(api, more, sale, options.api),
    ...chargeSteps(api, more, sale),
    ...refundSteps(api, sale),
    ['webhook', () => checkWebhook(more, options.webhookUrl)],
  ]
  const done: RehearsalStep[] = []
  for (const [name, run] of steps) done.push(await tryStep(name, run))
  return done
}

async function tryStep(name: string, run: () => Promise<string>): Promise<RehearsalStep> {
  try {
    return { name, status: 'ok', message: await run() }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const isUnknown = OPTIONAL_STEPS.includes(name) && error.kind === 'no_permission'
    return { name, status: isUnknown ? 'unknown' : 'failed', message: error.message }
  }
}

/** A restricted key need not have these permissions. */
const OPTIONAL_STEPS: readonly string[] = ['account', 'webhook']

const failed = (message: string) => new ProviderError(message)

function requireResult<K extends keyof Sale>(sale: Partial<Sale>, name: K): Sale[K] {
  const value = sale[name]
  if (value === undefined) throw failed('an earlier step has failed')
  return value as Sale[K]
}

const accountSteps = (api: StripeApi, more: RehearsalApi): Step[] => [
  [
    'key',
    async () => {
      await api.check()
      return 'Stripe takes the key'
    },
  ],
  [
    'account',
    async () => {
      const { id, country } = await more.findAccount()
      return `the account is ${id}${country ? ` (${country})` : ''}`
    },
  ],
]

const checkoutSteps = (
  api: StripeApi,
  more: RehearsalApi,
  sale: Partial<Sale>,
  apiOverride: string | undefined,
): Step[] => [
  [
    'create a checkout session',
    async () => {
      const { ref } = await startCheckout(
        api,
        sessionOrder(requireResult(sale, 'run')),
        apiOverride,
      )
      sale.session = ref
      return `${ref} can be paid`
    },
  ],
  [
    'expire the checkout session',
    async () => {
      const { status } = await more.expireSession(requireResult(sale, 'session'))
      if (status !== 'expired') throw failed(`the session is ${status}`)
      return "it can't be paid any more"
    },
  ],
]

function sessionOrder(run: string) {
  const page = 'https://gatehouse.example/checkout'
  return {
    aid: 'rehearsal',
    checkoutId: run,
    paymentId: run,
    labels: { installation: run },
    charge: AMOUNT,
    currency: AMOUNT.currency,
    keepCard: true,
    title: 'Test of a purchase',
    email: undefined,
    doneUrl: page,
    backUrl: page,
    created: Date.now(),
    expires: Date.now() + HOUR_MS,
  }
}

const chargeSteps = (api: StripeApi, more: RehearsalApi, sale: Partial<Sale>): Step[] => [
  [
    'create a customer',
    async () => {
      sale.customer = (await more.createCustomer(requireResult(sale, 'run'))).id
      return sale.customer
    },
  ],
  [
    'save a test card',
    async () => {
      sale.method = (await more.attachMethod(TEST_CARD, requireResult(sale, 'customer'))).id
      return sale.method
    },
  ],
  ['charge the card while nobody is there', () => chargeOnce(api, sale)],
  ['repeat the charge under the same key', () => chargeTwice(api, sale)],
  ['refuse another charge under the same key', () => chargeOther(api, sale)],
  ['find the charge by its metadata', () => findAgain(api, sale)],
]

const paramsOf = (sale: Partial<Sale>, amount: number) => ({
  amount,
  currency: AMOUNT.currency.toLowerCase(),
  customer: requireResult(sale, 'customer'),
  payment_method: requireResult(sale, 'method'),
  allowed_payment_method_types: ['card' as const],
  confirm: true,
  off_session: true,
  description: 'Test of a renewal',
  metadata: {
    [METADATA_KEYS.installation]: requireResult(sale, 'run'),
    [METADATA_KEYS.subscription]: requireResult(sale, 'run'),
    [METADATA_KEYS.payment]: requireResult(sale, 'run'),
  },
})

async function chargeOnce(api: StripeApi, sale: Partial<Sale>): Promise<string> {
  const intent = await api.createIntent(paramsOf(sale, AMOUNT.amount), requireResult(sale, 'run'))
  const { status } = readIntent(intent, Date.now())
  if (status !== 'succeeded') throw failed(`the charge is ${intent.status}`)
  sale.intent = intent
  return `${intent.id} succeeded`
}

async function chargeTwice(api: StripeApi, sale: Partial<Sale>): Promise<string> {
  const { id } = requireResult(sale, 'intent')
  const again = await api.createIntent(paramsOf(sale, AMOUNT.amount), requireResult(sale, 'run'))
  if (again.id !== id) throw failed(`a second charge was made: ${again.id}`)
  return 'it is the same charge'
}

async function chargeOther(api: StripeApi, sale: Partial<Sale>): Promise<string> {
  requireResult(sale, 'intent')
  const other = api.createIntent(paramsOf(sale, AMOUNT.amount + 1), requireResult(sale, 'run'))
  const error = await other.then(
    ({ id }) => failed(`a charge of another amount was made: ${id}`),
    (thrown: unknown) => thrown,
  )
  if (error instanceof IdempotencyKeyReused) return 'Stripe refuses it'
  throw error
}

async function findAgain(api: StripeApi, sale: Partial<Sale>): Promise<string> {
  const { id } = requireResult(sale, 'intent')
  const run = requireResult(sale, 'run')
  const renewal = { installation: run, subscriptionId: run, periodStart: 0, attempt: 0 }
  const method = `${requireResult(sale, 'customer')}:${requireResult(sale, 'method')}`
  const found = await findCharges(api, { renewal, method })
  if (!found.some(({ ref }) => ref === id)) throw failed('the charge is not in the lists')
  return `found among ${found.length}`
}

const refundSteps = (api: StripeApi, sale: Partial<Sale>): Step[] => [
  ['refund a part', () => refund(api, sale, PART)],
  ['refund the rest', () => refund(api, sale, AMOUNT.amount - PART)],
  [
    'list the refunds',
    async () => {
      const { id } = requireResult(sale, 'intent')
      const found: Refund[] = []
      for await (const one of api.refundsOf(id)) found.push(one)
      if (found.length !== 2) throw failed(`${found.length} refunds are listed, and not 2`)
      return 'both are there'
    },
  ],
]

async function refund(api: StripeApi, sale: Partial<Sale>, amount: number): Promise<string> {
  const { id } = requireResult(sale, 'intent')
  const metadata = { [METADATA_KEYS.refund]: `${requireResult(sale, 'run')}-${amount}` }
  const params = { payment_intent: id, amount, metadata }
  const made = await api.createRefund(params, `${requireResult(sale, 'run')}-refund-${amount}`)
  if (made.amount !== amount) throw failed(`${made.amount} was paid back`)
  return `${made.id} is ${made.status}`
}

/** Checks only the configuration: the first received event proves whether the signing secret is right. */
async function checkWebhook(more: RehearsalApi, url: string): Promise<string> {
  const endpoints = await more.listEndpoints()
  const found = endpoints.find((one) => one.url === url)
  if (!found) throw failed(`no webhook endpoint leads to ${url}`)
  if (found.status !== 'enabled') throw failed(`the endpoint to ${url} is ${found.status}`)
  const missing = NEEDED_EVENTS.filter(
    (type) => !found.enabled_events.includes(type) && !found.enabled_events.includes('*'),
  )
  if (missing.length > 0) throw failed(`the endpoint lacks the events ${missing.join(', ')}`)
  return `events go to ${url}`
}
