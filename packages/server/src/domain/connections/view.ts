import type { Millis } from '../../db/tables.ts'
import { listProviderProblems, type ProviderProblem } from '../payments/provider-problems.ts'
import { NEEDED_EVENTS } from '../payments/stripe/events-needed.ts'
import type { Connections, Source } from './connections.ts'
import { domainOf } from './mail-fields.ts'
import { type ConnectContext, webhookUrlOf } from './payments.ts'
import type { MailSecurity } from './stored.ts'
import { modeOf, type StripeMode } from './stripe-keys.ts'
import { isPublicAddress } from './stripe-webhook.ts'

/** The details of a connection to Stripe that staff may see: no secret, and the last 4 characters of the key. */
export interface PaymentsView {
  source: Source
  /** `none`: nothing can be sold. `test_cards`: the sandbox's own cards, which move no money. */
  provider: 'stripe' | 'test_cards' | 'none'
  mode: StripeMode
  key_ending: string | null
  account: { id: string; name: string | null } | null
  connected: Millis | null
  connected_by: string | null
  /** Whether readers may pay through Link. */
  offers_link: boolean
  /** What keeps readers from paying, in words. */
  problems: ProviderProblem[]
  webhook: {
    /** `automatic`: we created it. `manual`: somebody pasted its secret. `outdated`: it leads to another address.
     * `none`: Stripe sends no events, and payments settle by polling. */
    state: 'automatic' | 'manual' | 'outdated' | 'none'
    url: string
    events: readonly string[]
    /** Whether Stripe can reach the address. */
    is_public: boolean
  }
}

/** The details of a mail server that staff may see. */
export interface MailView {
  source: Source
  host: string | null
  port: number | null
  security: MailSecurity | null
  user: string | null
  /** The sender of applications that have none of their own. */
  sender: string
  sender_domain: string
  connected: Millis | null
  connected_by: string | null
}

export interface ConnectionsView {
  payments: PaymentsView
  mail: MailView
  /** Whether this is a detached copy, in which nothing can be connected. */
  is_detached: boolean
}

/** Returns the details of the connections to the payment provider and the mail server that staff may see. */
export const viewConnections = async (ctx: ConnectContext): Promise<ConnectionsView> => ({
  payments: await viewPayments(ctx),
  mail: viewMail(ctx.connections),
  is_detached: ctx.connections.isDetached,
})

export async function viewPayments(ctx: ConnectContext): Promise<PaymentsView> {
  const { source, keys, stored, offersLink } = ctx.connections.payments
  const { provider } = ctx.connections
  const own = source === 'staff' ? stored : undefined
  return {
    source,
    provider: providerOf(ctx.connections),
    mode: modeOf(ctx.name),
    key_ending: keys?.secretKey.slice(-4) ?? null,
    account: own?.account ?? null,
    connected: own?.connected ?? null,
    connected_by: own?.by ?? null,
    offers_link: offersLink,
    problems: await listProviderProblems(ctx.database.read, { ...ctx, provider }, []),
    webhook: viewWebhook(ctx),
  }
}

/** Whether something can be sold, and through whom. */
export function providerOf({ provider }: Pick<Connections, 'provider'>): PaymentsView['provider'] {
  if (!provider) return 'none'
  return provider.name === 'test' ? 'test_cards' : 'stripe'
}

function viewWebhook(ctx: ConnectContext): PaymentsView['webhook'] {
  const url = webhookUrlOf(ctx)
  const { source, stored } = ctx.connections.payments
  const about = { url, events: NEEDED_EVENTS, is_public: isPublicAddress(url) }
  if (source === 'operator') return { ...about, state: 'manual' }
  const webhook = stored?.webhook
  if (!webhook) return { ...about, state: 'none' }
  if (webhook.url !== url) return { ...about, state: 'outdated' }
  return { ...about, state: webhook.id === null ? 'manual' : 'automatic' }
}

export function viewMail({ mail }: Connections): MailView {
  const { source, smtpUrl, from, stored } = mail
  const own = source === 'staff' ? stored : undefined
  const url = source === 'operator' && smtpUrl !== undefined ? new URL(smtpUrl) : undefined
  return {
    source,
    host: own?.host ?? url?.hostname ?? null,
    port: own?.port ?? (url?.port ? Number(url.port) : null),
    security: own?.security ?? null,
    user: own?.user ?? null,
    sender: from,
    sender_domain: domainOf(from),
    connected: own?.connected ?? null,
    connected_by: own?.by ?? null,
  }
}
