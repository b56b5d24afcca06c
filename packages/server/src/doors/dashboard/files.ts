import { deliveryRoutes } from './files-deliveries.ts'
import { downloadRoutes } from './files-downloads.ts'
import { uploadRoutes } from './files-upload.ts'
import type { Route } from './route.ts'

export const filesRoutes: readonly Route[] = [...downloadRoutes, ...uploadRoutes, ...deliveryRoutes]
