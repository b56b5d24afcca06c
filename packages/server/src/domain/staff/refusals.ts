/** Why somebody was not let in, or was refused an action. The label of `gatehouse_staff_refused_total`. */
export const REFUSALS = [
  'unknown_address',
  'wrong_password',
  'unknown_passkey',
  'wrong_passkey',
  'passkey_missing',
  'wrong_link',
  'throttled',
  'role',
  'foreign_origin',
  'wrong_token',
  'token_scope',
] as const
export type Refusal = (typeof REFUSALS)[number]
