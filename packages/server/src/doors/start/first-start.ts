import { grantAccess } from '../../access/grant.ts'
import { createApplication, listApplications, reserveAid } from '../../apps/applications.ts'
import { type Context, ENVIRONMENTS, type Environment } from '../../context.ts'
import { FOREVER } from '../../db/tables.ts'
import { createResource } from '../../resources/resources.ts'

/** What the sandbox starts with, so that the first call can answer "yes". */
export const DEMO = {
  rid: 'demo-article',
  name: 'Demo article',
  url: 'https://example.com/demo-article',
  email: 'reader@example.com',
  userRef: 'demo-reader',
} as const

const ACTOR = 'first start'
const DONE = 'first_start'

/** Makes one application in each environment, once in the life of an installation. True if it did. */
export async function firstStart(ctx: Context): Promise<boolean> {
  const done = await ctx.control.read
    .selectFrom('meta')
    .select('value')
    .where('name', '=', DONE)
    .executeTakeFirst()
  if (done) return false
  for (const name of ENVIRONMENTS) await prepareEnvironment(ctx, ctx.environments[name])
  await ctx.control.write(async (trx) => {
    const row = { name: DONE, value: String(Date.now()) }
    await trx
      .insertInto('meta')
      .values(row)
      .onConflict((oc) => oc.doNothing())
      .execute()
  })
  return true
}

async function prepareEnvironment(ctx: Context, env: Environment): Promise<void> {
  const { database, name } = env
  // Killed half-way, or applications made by the command line before the first start.
  if ((await listApplications(database.read)).length > 0) return
  const aid = await reserveAid(ctx.control, name)
  const times = { now: env.clock(), wall: env.wall() }
  await database.write(async (trx) => {
    const application = { aid, name: 'My application' }
    await createApplication(trx, ctx.masterKey, application, times, ACTOR)
    if (name !== 'sandbox') return
    await createResource(trx, { aid, ...DEMO }, times.now, ACTOR)
    const { rid, email, userRef } = DEMO
    await grantAccess(trx, times, { aid, rid, email, userRef, ends: FOREVER, actor: ACTOR })
  })
}
