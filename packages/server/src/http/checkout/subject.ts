import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../context.ts'
import { getApplication } from '../../domain/apps/applications.ts'
import { brandOf } from '../../domain/brand/brand.ts'
import { findResources } from '../../domain/resources/resources.ts'
import { rememberBrand } from '../pages/error-brand.ts'
import { thumbImage } from '../pages/image.ts'
import { formatsFor } from '../pages/locale.ts'

/** Loads the application and the resource that a page is about. The resource is undefined if it no longer exists. */
export async function loadSubject(
  env: Environment,
  { aid, rid }: { aid: string; rid: string },
  request: FastifyRequest,
) {
  const { read } = env.database
  const app = await getApplication(read, aid)
  const brand = brandOf(app)
  rememberBrand(request, brand)
  const [resource] = await findResources(read, aid, [rid])
  const thumb = thumbImage(env, aid, resource?.image_id ?? null)
  return { app, resource, thumb, formats: formatsFor(request, brand) }
}
