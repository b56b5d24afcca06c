import type { Trx } from '../../db/database.ts'
import { changeSettings, lockApplication } from '../apps/applications.ts'
import { setImage } from '../images/attach.ts'
import type { Direction } from './context.ts'
import { CopyChanged } from './outcome.ts'
import { stageBytes } from './stage.ts'
import { type AppState, brandContent, templatesContent } from './state.ts'

/** Locks the application and makes sure that nobody has changed it since it was looked at. */
async function requireUnchanged(
  trx: Trx,
  to: AppState,
  contentOf: (state: Pick<AppState, 'app'>) => string,
): Promise<void> {
  const app = await lockApplication(trx, to.app.aid)
  if (contentOf({ app }) !== contentOf(to)) throw new CopyChanged()
}

/** Copies the logo, the colors and the links of an application. */
export async function copyBrand(
  direction: Direction,
  from: AppState,
  to: AppState,
  actor: string,
): Promise<void> {
  const { env, aid } = direction.to
  const { accent, support_email, legal_links, time_zone, logo_id } = from.app
  await stageBytes(direction, [], logo_id === null ? [] : [logo_id], ({ images }) =>
    env.database.write(async (trx) => {
      await requireUnchanged(trx, to, brandContent)
      const now = env.clock()
      const settings = { accent, support_email, legal_links, time_zone }
      await changeSettings(trx, aid, settings, now, actor)
      const logo = logo_id === null ? undefined : images.get(logo_id)
      const doing = { now, realTime: env.realTime(), actor }
      await setImage(trx, { kind: 'application', aid }, logo, doing)
    }),
  )
}

/** Copies the texts of the emails. */
export async function copyTemplates(
  { to: { env, aid } }: Direction,
  from: AppState,
  to: AppState,
  actor: string,
): Promise<void> {
  const { mail_template, mail_templates } = from.app
  await env.database.write(async (trx) => {
    await requireUnchanged(trx, to, templatesContent)
    await changeSettings(trx, aid, { mail_template, mail_templates }, env.clock(), actor)
  })
}
