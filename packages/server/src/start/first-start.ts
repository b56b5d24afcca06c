import { type Context, ENVIRONMENTS, type Environment, type EnvironmentName } from '../context.ts'
import { readMeta, setMetaOnce } from '../db/meta.ts'
import { FOREVER } from '../db/tables.ts'
import { grantAccess } from '../domain/access/grants/grant.ts'
import { createApplication, listApplications, reserveAid } from '../domain/apps/applications.ts'
import { createPrice, type Terms } from '../domain/resources/prices.ts'
import { createResource } from '../domain/resources/resources.ts'

/** Demo data of the sandbox, so that a first request finds access and a first sale can be made. */
export const DEMO = {
  rid: 'demo-article',
  name: 'Demo article',
  url: 'https://example.com/demo-article',
  email: 'reader@example.com',
  userRef: 'demo-reader',
} as const

/** A one-time price and a monthly one. */
const DEMO_PRICES: readonly Terms[] = [
  { amount: 250, currency: 'USD', recurring: 0, period: null, trial_days: 0 },
  { amount: 499, currency: 'USD', recurring: 1, period: '1 month', trial_days: 0 },
]

const ACTOR = 'first start'
const DONE = 'first_start'

/** Creates one application in each environment, once in the life of an installation; returns true if it did. If it is
 * killed halfway, the next start finishes it. Concurrent first starts create the same applications. */
export async function createFirstApplications(ctx: Context): Promise<boolean> {
  if ((await recall(ctx, DONE)) !== undefined) return false
  for (const name of ENVIRONMENTS) {
    const env = ctx.environments[name]
    await prepareEnvironment(ctx, env, await agreeOnAid(ctx, name))
  }
  await remember(ctx, DONE, String(Date.now()))
  return true
}

const recall = (ctx: Context, name: string) => readMeta(ctx.control.read, name)
const remember = (ctx: Context, name: string, value: string) =>
  ctx.control.write((trx) => setMetaOnce(trx, name, value))

/** Returns the AID that all concurrent first starts use. */
async function agreeOnAid(ctx: Context, name: EnvironmentName): Promise<string> {
  const agreement = `${DONE}_${name}`
  const known = await recall(ctx, agreement)
  if (known !== undefined) return known
  await remember(ctx, agreement, await reserveAid(ctx.control, name))
  return (await recall(ctx, agreement)) as string
}

async function prepareEnvironment(ctx: Context, env: Environment, aid: string): Promise<void> {
  const { database, name } = env
  const clocks = { now: env.clock(), realTime: env.realTime() }
  await database.write(async (trx) => {
    // Another process has just created one, or the command line did before the first start.
    if ((await listApplications(trx)).length > 0) return
    const application = { aid, name: 'My application' }
    await createApplication(trx, ctx.masterKey, application, clocks, ACTOR)
    if (name !== 'sandbox') return
    await createResource(trx, { aid, ...DEMO }, clocks.now, ACTOR)
    for (const terms of DEMO_PRICES) {
      await createPrice(trx, { aid, rid: DEMO.rid, ...terms }, clocks.now, ACTOR)
    }
    const { rid, email, userRef } = DEMO
    await grantAccess(trx, { aid, rid, email, userRef, ends: FOREVER, actor: ACTOR }, clocks)
  })
}
