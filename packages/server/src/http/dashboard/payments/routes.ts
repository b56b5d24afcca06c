import type { Route } from '../route.ts'
import { paymentRoutes } from './payments.ts'
import { subscriptionRoutes } from './subscriptions.ts'

export const moneyRoutes: readonly Route[] = [...subscriptionRoutes, ...paymentRoutes]
