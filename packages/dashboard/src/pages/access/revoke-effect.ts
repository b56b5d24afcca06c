import type { Money, RevokePreview } from '@gatehouse/server/dashboard-api'
import { texts } from '../../texts.ts'

/** The effect of the revocation, summed over all rows. */
export interface RevokeEffect {
  subscriptions: number
  refundable: Money[]
  disputed: Money[]
  /** The addresses that get an email, one for each refund. */
  mailsTo: string[]
}

export function addUp(effects: readonly RevokePreview[]): RevokeEffect {
  const money = effects.flatMap(({ refundable }) => refundable)
  return {
    subscriptions: effects.reduce((sum, { subscriptions }) => sum + subscriptions.length, 0),
    refundable: money.filter(({ disputed }) => !disputed).map(({ amount }) => amount),
    disputed: money.filter(({ disputed }) => disputed).map(({ amount }) => amount),
    mailsTo: effects.flatMap(({ refundable, refund_mail_to: to }) =>
      refundable.flatMap(({ disputed }) => (disputed || to === null ? [] : [to])),
    ),
  }
}

/** Says which emails are sent: one for each refund, and none for the revoke itself. */
export function describeMails(
  { refundable, mailsTo }: Pick<RevokeEffect, 'refundable' | 'mailsTo'>,
  refund: boolean,
  isSent: boolean,
): string {
  const { revokeMails } = texts.access
  if (!refund || refundable.length === 0) return revokeMails.none
  const [first] = mailsTo
  if (first === undefined) return revokeMails.noAddress
  if (!isSent) return revokeMails.kept
  return mailsTo.length === 1 ? revokeMails.one(first) : revokeMails.many(mailsTo.length)
}
