import type { Route } from './route.ts'

export const consoleRoutes: readonly Route[] = []
