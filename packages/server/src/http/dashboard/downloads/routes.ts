import type { Route } from '../route.ts'
import { deliveryRoutes } from './deliveries.ts'
import { downloadRoutes } from './downloads.ts'
import { uploadRoutes } from './upload.ts'

export const filesRoutes: readonly Route[] = [...downloadRoutes, ...uploadRoutes, ...deliveryRoutes]
