import type { Route } from './route.ts'

export const filesRoutes: readonly Route[] = []
