import { paymentRoutes } from './money-payments.ts'
import { subscriptionRoutes } from './money-subscriptions.ts'
import type { Route } from './route.ts'

export const moneyRoutes: readonly Route[] = [...subscriptionRoutes, ...paymentRoutes]
