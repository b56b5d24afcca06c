import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { addressOf } from '../origin.ts'
import { identify } from './session.ts'

/** Whether a member is signed in, in the browser that sends the request. */
export async function isMember(ctx: Context, request: FastifyRequest): Promise<boolean> {
  const address = addressOf(ctx.config, request)
  return address.kind !== 'plain' && (await identify(ctx, request, address)) !== undefined
}
