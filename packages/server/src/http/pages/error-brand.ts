import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../context.ts'
import { getApplication } from '../../domain/apps/applications.ts'
import { type Brand, brandOf } from '../../domain/brand/brand.ts'
import { fail } from '../../errors.ts'
import type { ReaderLinkRefusal } from '../../signing/links.ts'

const brands = new WeakMap<FastifyRequest, Brand>()

/** Puts the brand on the error page, if the request fails later. */
export function rememberBrand(request: FastifyRequest, brand: Brand): void {
  brands.set(request, brand)
}

/** Does the same for a request that has already failed and names its application, unless that fails too. */
export async function rememberBrandOf(
  env: Environment,
  request: FastifyRequest,
  aid: string,
): Promise<void> {
  const app = await getApplication(env.database.read, aid).catch(() => undefined)
  if (app && app.archived === null) rememberBrand(request, brandOf(app))
}

/** Fails a request whose signed link was refused. An expired link still says whose page it was. */
export async function refuseReaderLink(
  env: Environment,
  request: FastifyRequest,
  refusal: ReaderLinkRefusal,
): Promise<never> {
  if (refusal.reason === 'invalid') throw fail('link_invalid')
  if (refusal.aid !== undefined) await rememberBrandOf(env, request, refusal.aid)
  throw fail('link_expired')
}

export const brandOfRequest = (request: FastifyRequest): Brand | undefined => brands.get(request)
