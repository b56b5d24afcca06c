import { listRefusedCalls } from '../../../domain/apps/calls.ts'
import { appRoute, DEVELOPERS, type Route } from '../route.ts'
import { toPage, windowOf } from '../schemas.ts'
import { type RefusedCallItem, RefusedQuery } from './schemas.ts'

const list = appRoute('GET /refused', {
  management: 'GET /refused-calls',
  allowed: DEVELOPERS,
  query: RefusedQuery,
  async handle({ ctx, env, aid, query }) {
    // Writes what this process has recorded; other processes write theirs within seconds.
    await env.calls.flush()
    const rows = await listRefusedCalls(ctx.control, aid)
    const { offset, limit } = windowOf(query)
    const data: RefusedCallItem[] = rows
      .slice(offset, offset + limit)
      .map(({ aid: _, ...call }) => call)
    return toPage(data, rows.length, query)
  },
})

export const refusedRoutes: readonly Route[] = [list]
