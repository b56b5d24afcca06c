import type { Route } from './route.ts'

export const settingsRoutes: readonly Route[] = []
