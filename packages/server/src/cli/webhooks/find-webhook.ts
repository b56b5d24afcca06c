import { type Context, ENVIRONMENTS, type Environment } from '../../context.ts'
import { findApplicationOf } from '../../db/find-application.ts'
import { type EndpointRow, getEndpoint } from '../../domain/webhooks/endpoints/endpoints.ts'
import { fail } from '../../errors.ts'

/** Searches both environments, since the id doesn't say which one the endpoint belongs to. */
export async function getWebhook(
  ctx: Context,
  id: string,
): Promise<{ env: Environment; endpoint: EndpointRow }> {
  for (const name of ENVIRONMENTS) {
    const env = ctx.environments[name]
    const aid = await findApplicationOf(env.database.read, 'webhook_endpoints', id)
    if (aid === undefined) continue
    await env.refreshClock()
    return { env, endpoint: await getEndpoint(env.database.read, { aid, id }) }
  }
  throw fail('webhook_not_found', `There is no webhook endpoint with the id ${id}.`)
}
