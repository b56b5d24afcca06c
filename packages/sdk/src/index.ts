export * from './client.ts'
export * from './errors.ts'
export type { ExpectedReturn, PaidReturn, PurchaseLink } from './links.ts'
