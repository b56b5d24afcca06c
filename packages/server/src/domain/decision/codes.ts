/** The codes of a decision that lets the reader in. */
export const GRANTED_CODES = [
  'granted',
  'purchased',
  'subscribed',
  'trial',
  'grace',
  'canceled',
] as const

/** The codes of a decision that doesn't. */
export const REFUSED_CODES = [
  'never_granted',
  'not_started',
  'expired',
  'revoked',
  'refunded',
  'dispute_lost',
  'unpaid',
  'user_unknown',
] as const

export type GrantedCode = (typeof GRANTED_CODES)[number]
export type RefusedCode = (typeof REFUSED_CODES)[number]
export type DecisionCode = GrantedCode | RefusedCode

/** The meaning of each code, in one sentence. The contract, the docs, the command line and the dashboard show it. */
export const CODE_MEANINGS: Readonly<Record<DecisionCode, string>> = {
  granted: 'Access was granted, by your site or by staff.',
  purchased: 'Access was bought with a single payment.',
  subscribed: 'A subscription pays for it.',
  trial: 'A free trial is running.',
  grace: 'The renewal is unpaid, and access stays open for the grace period.',
  canceled:
    'The subscription is canceled, and access continues until the end of what was paid for.',
  never_granted: 'There has never been access.',
  not_started: 'Nothing that gives access has begun yet.',
  expired: 'Access has reached its end.',
  revoked: 'Access was revoked.',
  refunded: 'The payment was refunded.',
  dispute_lost: 'The dispute about the payment was lost.',
  unpaid: 'The renewal of the subscription was not paid.',
  user_unknown: 'No user has this reference.',
}
