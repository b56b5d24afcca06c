import type { ApplicationTable } from '../../../db/tables.ts'
import {
  archiveApplication,
  createApplication,
  listApplications,
  reserveAid,
} from '../../../domain/apps/applications.ts'
import { isInScope } from '../caller.ts'
import { environmentIn } from '../parameters.ts'
import { DEVELOPERS, OWNERS, type Route, STAFF, staffRoute } from '../route.ts'
import { readCurrency, readName } from '../settings/fields.ts'
import {
  ApplicationBody,
  type ApplicationItem,
  type ApplicationList,
  type NewApplication,
} from '../settings/schemas.ts'

const shown = ({ aid, name, currency, created, archived }: ApplicationTable): ApplicationItem => ({
  ...{ aid, name, currency, created, archived },
})

const list = staffRoute('GET /applications/:environment', {
  management: 'GET /applications',
  allowed: STAFF,
  async handle({ ctx, caller, params }): Promise<ApplicationList> {
    const env = environmentIn(ctx, params)
    const all = await listApplications(env.database.read)
    return { data: all.filter(({ aid }) => isInScope(caller, aid)).map(shown) }
  },
})

const create = staffRoute('POST /applications/:environment', {
  allowed: DEVELOPERS,
  action: 'application.create',
  confirmation: 'recent',
  body: ApplicationBody,
  async handle({ ctx, params, body, actor, note }): Promise<NewApplication> {
    const env = environmentIn(ctx, params)
    const name = readName(body.name)
    const currency = body.currency === undefined ? {} : { currency: readCurrency(body.currency) }
    await env.refreshClock()
    const aid = await reserveAid(ctx.control, env.name)
    const clocks = { now: env.clock(), realTime: env.realTime() }
    const key = await env.database.write((trx) =>
      createApplication(trx, ctx.masterKey, { aid, name, ...currency }, clocks, actor),
    )
    note({ aid, name })
    return { aid, name, environment: env.name, key_id: key.id, private_key: key.privateKey }
  },
})

const archive = staffRoute('POST /applications/:environment/:aid/archive', {
  allowed: OWNERS,
  action: 'application.archive',
  async handle({ ctx, params, actor }): Promise<ApplicationItem> {
    const env = environmentIn(ctx, params)
    await env.refreshClock()
    const aid = params.aid as string
    return shown(
      await env.database.write((trx) => archiveApplication(trx, aid, env.clock(), actor)),
    )
  },
})

export const applicationsRoutes: readonly Route[] = [list, create, archive]
