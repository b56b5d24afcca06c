import type { Route } from './route.ts'

export const accessRoutes: readonly Route[] = []
