import { Type } from 'typebox'
import type { StripeAccount } from '../../../domain/connections/stored.ts'
import type { WebhookProblem } from '../../../domain/connections/stripe-webhook.ts'
import type { ConnectionsView } from '../../../domain/connections/view.ts'
import type { ConnectionCount } from '../../../domain/mail/server-check.ts'

export type { SetUpItem, SetUpView } from '../../../domain/connections/set-up.ts'
export type { WebhookProblem } from '../../../domain/connections/stripe-webhook.ts'
export type {
  ConnectionsView,
  MailView,
  PaymentsView,
} from '../../../domain/connections/view.ts'

/** A generous limit: the problem with a value is reported by the check of its field. */
const line = Type.String({ maxLength: 1_000 })
const confirm = Type.Optional(Type.Boolean())

export const PaymentsBody = Type.Object({
  secret_key: line,
  webhook_secret: Type.Optional(line),
  /** Whether what depends on the connection before may be lost. */
  confirm,
})

/** Without a secret, the endpoint is created through Stripe's API. */
export const WebhookBody = Type.Object({ webhook_secret: Type.Optional(line) })

/** Whether readers may pay through Link. */
export const OfferLinkBody = Type.Object({ offered: Type.Boolean() })

export const DisconnectBody = Type.Object({ confirm })

export const MailBody = Type.Object({
  host: line,
  port: Type.Integer(),
  security: line,
  user: line,
  /** Omitted, or empty: the stored one is kept, if the server and the user stay the same. */
  password: Type.Optional(line),
  sender: line,
})

/** The connections after a change of payments, and why Stripe sends no events, if it does not. */
export interface PaymentsChanged extends ConnectionsView {
  webhook_problem: WebhookProblem | null
}

export interface PaymentsTested {
  account: StripeAccount | null
}

export interface MailTested {
  sent_to: string
  /** How many connections the server takes at once, of those that are set. Null if it took no further one. */
  connections: ConnectionCount | null
}
