import type { Route } from './route.ts'

export const mailRoutes: readonly Route[] = []
