import type { Route } from './route.ts'

export const resourcesRoutes: readonly Route[] = []
