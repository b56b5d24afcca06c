import { fail } from '../../errors.ts'
import { createApplication, getApplication, reserveAid } from '../apps/applications.ts'
import type { MasterKey } from '../apps/master-key.ts'
import { type AppInEnvironment, type CopyContext, otherEnvironment } from './context.ts'
import { findCounterpart, pairApplications } from './pairs.ts'

/** Creates an application with the same name and currency in the other environment, and pairs the two. Returns its AID. */
export async function createCounterpart(
  ctx: CopyContext & { masterKey: MasterKey },
  one: AppInEnvironment,
  actor: string,
): Promise<string> {
  // Checked first, so that no application is left over that nobody wanted.
  if ((await findCounterpart(ctx, one))?.app) throw fail('already_paired')
  const { name, currency } = await getApplication(one.env.database.read, one.aid)
  const other = ctx.environments[otherEnvironment(one.env.name)]
  const aid = await reserveAid(ctx.control, other.name)
  const clocks = { now: other.clock(), realTime: other.realTime() }
  await other.database.write((trx) =>
    createApplication(trx, ctx.masterKey, { aid, name, currency }, clocks, actor),
  )
  await pairApplications(ctx, one, aid, one.env.realTime())
  return aid
}
