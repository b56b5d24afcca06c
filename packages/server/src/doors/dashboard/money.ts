import type { Route } from './route.ts'

export const moneyRoutes: readonly Route[] = []
