import type { Route } from './route.ts'

export const keysRoutes: readonly Route[] = []
