export * from './client.ts'
export * from './errors.ts'
export type { FollowOptions } from './follow.ts'
export type { Decision, DecisionCode } from './gate/decision.ts'
export {
  createGate,
  type Gate,
  type PurchaseTerms,
  type Question,
  type UserRef,
} from './gate/gate.ts'
export type { GateOptions } from './gate/gate-options.ts'
export type { ExpectedReturn, PaidReturn, PurchaseLink } from './links.ts'
export type { GatehouseOptions } from './options.ts'
export type { Fetch, FetchInit, FetchResponse } from './runtime.ts'
export type * from './types.ts'
