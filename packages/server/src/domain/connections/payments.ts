import type { EnvironmentDatabase } from '../../db/database.ts'
import { getInstallationId } from '../../db/installation.ts'
import type { Millis } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { forgetProviderNotes } from '../payments/provider-notes.ts'
import { refreshAccountNote } from '../payments/provider-problems.ts'
import { countAtStake, findProviderRefs, isAnythingAtStake } from './at-stake.ts'
import type { Connections } from './connections.ts'
import type { PaymentsConnection, StripeAccount } from './stored.ts'
import { explainingStripe, type OpenStripe, openStripe } from './stripe-account.ts'
import { type EnvironmentName, readSecretKey, readWebhookSecret } from './stripe-keys.ts'
import {
  type Registered,
  registerWebhook,
  tryDelete,
  type WebhookProblem,
} from './stripe-webhook.ts'
import { STAKE_TEXTS } from './texts.ts'

/** Everything needed to connect something; an `Environment` provides it. */
export interface ConnectContext {
  name: EnvironmentName
  database: EnvironmentDatabase
  connections: Connections
  isOnHold(): Promise<boolean>
  realTime(): Millis
  address(): string
}

export interface PaymentsInput {
  secretKey: string
  /** The signing secret of an endpoint that was created by hand. */
  webhookSecret?: string | undefined
  /** Whether losing what depends on the previous connection is confirmed. */
  isConfirmed: boolean
  /** The name of the person who connects it. */
  by: string
}

export interface PaymentsResult {
  account: StripeAccount | null
  webhookProblem: WebhookProblem | undefined
}

const STRIPE = 'stripe'
const TEST_CARDS = 'test'

export const webhookUrlOf = (ctx: Pick<ConnectContext, 'address'>) =>
  `${ctx.address()}/events/stripe`

/** Checks the key with Stripe, registers the webhook and stores both, replacing the previous connection. */
export async function connectPayments(
  ctx: ConnectContext,
  input: PaymentsInput,
): Promise<PaymentsResult> {
  const { connections } = ctx
  requireOwn(connections, 'payments')
  const secretKey = readSecretKey(input.secretKey, ctx.name)
  const pasted = input.webhookSecret?.trim() ? readWebhookSecret(input.webhookSecret) : undefined
  const stripe = await openStripe(connections, secretKey)
  const account = await stripe.inspect()
  const isSame = await isSameAccount(ctx, stripe, account)
  if (!input.isConfirmed) await requireNothingLost(ctx, isSame)
  const before = connections.payments.stored
  const { webhook, problem }: Registered =
    pasted === undefined
      ? await registerWebhook(stripe.account, {
          url: webhookUrlOf(ctx),
          installation: await getInstallationId(ctx.database),
          known: (isSame && before?.webhook) || undefined,
          isOnHold: await ctx.isOnHold(),
        })
      : { webhook: { id: null, url: webhookUrlOf(ctx), secret: pasted }, problem: undefined }
  const connection = { secretKey, account, webhook, connected: ctx.realTime(), by: input.by }
  await connections.save('payments', connection)
  if (!isSame) await ctx.database.write(forgetProviderNotes)
  await refreshAccountNote(providerOf(ctx))
  if (before && !isSame) await tryDeleteWebhook(connections, before)
  return { account, webhookProblem: problem }
}

/** Registers the webhook of a stored connection again, or stores the signing secret of one created by hand. */
export async function connectWebhook(
  ctx: ConnectContext,
  webhookSecret: string | undefined,
): Promise<PaymentsResult> {
  const { connections } = ctx
  const stored = requireStored(connections)
  const { secretKey, account } = stored
  if (webhookSecret !== undefined) {
    const secret = readWebhookSecret(webhookSecret)
    const webhook = { id: null, url: webhookUrlOf(ctx), secret }
    await connections.save('payments', { ...stored, webhook })
    return { account, webhookProblem: undefined }
  }
  const stripe = await openStripe(connections, secretKey)
  const { webhook, problem } = await registerWebhook(stripe.account, {
    url: webhookUrlOf(ctx),
    installation: await getInstallationId(ctx.database),
    known: stored.webhook ?? undefined,
    isOnHold: await ctx.isOnHold(),
  })
  // If the webhook can't be set up now, the stored one is kept: it may still work.
  if (webhook) await connections.save('payments', { ...stored, webhook })
  return { account, webhookProblem: problem }
}

export async function disconnectPayments(
  ctx: ConnectContext,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<void> {
  const { connections } = ctx
  const stored = requireStored(connections)
  const stake = await countAtStake(ctx.database.read, STRIPE)
  if (!isConfirmed && isAnythingAtStake(stake)) {
    throw fail('connection_in_use', STAKE_TEXTS.disconnect(stake))
  }
  await connections.remove('payments')
  await ctx.database.write(forgetProviderNotes)
  if (!(await ctx.isOnHold())) await tryDeleteWebhook(connections, stored)
}

/** Makes harmless calls with the keys in use, whether the operator or staff have set them. */
export async function testPayments(ctx: ConnectContext): Promise<PaymentsResult> {
  const { keys, stored } = ctx.connections.payments
  if (!keys) throw fail('not_connected')
  const stripe = await openStripe(ctx.connections, keys.secretKey)
  const account = await stripe.inspect()
  // The account's name may have changed, or an earlier key was not permitted to read it.
  if (ctx.connections.payments.source === 'staff' && stored && account) {
    if (JSON.stringify(account) !== JSON.stringify(stored.account))
      await ctx.connections.save('payments', { ...stored, account })
  }
  await refreshAccountNote(providerOf(ctx))
  return { account, webhookProblem: undefined }
}

/** Lets readers pay through Link, or only by card, which is the default. */
export async function setLinkOffered(ctx: ConnectContext, isOffered: boolean): Promise<void> {
  if (ctx.connections.isDetached) throw fail('detached_copy')
  await ctx.connections.setOffersLink(isOffered)
}

/** What the provider in use is asked with. */
const providerOf = ({ database, connections, realTime }: ConnectContext) => ({
  ...{ database, realTime },
  provider: connections.provider,
})

/** Throws if the operator has set the connection, or if this is a detached copy, which must not contact anybody. */
export function requireOwn(connections: Connections, kind: 'payments' | 'mail'): void {
  if (connections.isDetached) throw fail('detached_copy')
  if (connections[kind].source === 'operator') throw fail('set_by_operator')
}

function requireStored(connections: Connections): PaymentsConnection {
  requireOwn(connections, 'payments')
  const { stored } = connections.payments
  if (!stored) throw fail('not_connected')
  return stored
}

/** Compares accounts by id. If one of the keys may not read it, asks for something that we sold before, which another
 * account does not know. */
async function isSameAccount(
  { database, connections }: ConnectContext,
  { provider }: OpenStripe,
  account: StripeAccount | null,
): Promise<boolean> {
  const before = connections.payments.stored?.account
  if (account && before) return account.id === before.id
  const { payment, checkout } = await findProviderRefs(database.read, STRIPE)
  if (payment === undefined && checkout === undefined) return true
  return await explainingStripe(async () => {
    if (payment !== undefined) {
      const query = { ref: payment, paymentId: undefined, method: undefined }
      return (await provider.find.payment(query)) !== undefined
    }
    return await hasCheckout(provider, checkout as string)
  })
}

/** An unknown checkout is reported as expired, like one whose page has closed long ago. */
async function hasCheckout(provider: OpenStripe['provider'], ref: string): Promise<boolean> {
  return (await provider.find.checkout(ref)).status !== 'expired'
}

async function requireNothingLost(ctx: ConnectContext, isSame: boolean): Promise<void> {
  const { read } = ctx.database
  const ofStripe = isSame ? undefined : await countAtStake(read, STRIPE)
  if (ofStripe && isAnythingAtStake(ofStripe)) {
    throw fail('connection_in_use', STAKE_TEXTS.otherAccount(ofStripe))
  }
  if (ctx.connections.provider?.name !== TEST_CARDS) return
  const ofCards = await countAtStake(read, TEST_CARDS)
  if (isAnythingAtStake(ofCards)) throw fail('connection_in_use', STAKE_TEXTS.testCards(ofCards))
}

async function tryDeleteWebhook(
  connections: Connections,
  { secretKey, webhook }: PaymentsConnection,
): Promise<void> {
  if (!webhook || webhook.id === null) return
  await tryDelete((await openStripe(connections, secretKey)).account, webhook.id)
}
