import {
  changedSettings,
  changeSettings,
  getApplication,
  lockApplication,
} from '../../../domain/apps/applications.ts'
import {
  DEFAULT_TEMPLATE,
  problemsWithTemplate,
  renderMail,
} from '../../../domain/mail/template.ts'
import { type AppRequest, appRoute, DEVELOPERS, type Route, STAFF } from '../route.ts'
import { settingsIn } from './fields.ts'
import { type MailPreview, PreviewBody, SettingsBody, type SettingsView } from './schemas.ts'

type Application = Awaited<ReturnType<typeof getApplication>>

function showSettings({ env }: AppRequest, app: Application): SettingsView {
  return {
    aid: app.aid,
    name: app.name,
    currency: app.currency,
    mail_from: app.mail_from ?? '',
    mail_template: app.mail_template ?? '',
    seller_name: app.seller_name ?? '',
    seller_address: app.seller_address ?? '',
    tax_line: app.tax_line ?? '',
    return_urls: JSON.parse(app.return_urls) as string[],
    grace_days: app.grace_days,
    created: app.created,
    archived: app.archived,
    defaults: {
      mail_from: env.mailFrom,
      mail_template: DEFAULT_TEMPLATE,
      seller_name: app.name,
    },
    address: env.address(),
  }
}

const show = appRoute('GET /settings', {
  who: STAFF,
  handle: async (call) =>
    showSettings(call, await getApplication(call.env.database.read, call.aid)),
})

const change = appRoute('PATCH /settings', {
  who: DEVELOPERS,
  action: 'settings.change',
  body: SettingsBody,
  async handle(call): Promise<SettingsView> {
    const { env, aid, body, actor, note } = call
    const settings = settingsIn(body)
    const app = await env.database.write(async (trx) => {
      const changed = changedSettings(await lockApplication(trx, aid), settings)
      note({ changed: changed.join(' ') })
      return await changeSettings(trx, aid, settings, env.clock(), actor)
    })
    return showSettings(call, app)
  },
})

const DAY = 86_400

const preview = appRoute('POST /settings/mail-preview', {
  who: DEVELOPERS,
  body: PreviewBody,
  async handle({ env, aid, body }): Promise<MailPreview> {
    const problems = problemsWithTemplate(body.template)
    if (problems.length > 0) return { ok: false, problems }
    const { name } = await getApplication(env.database.read, aid)
    const now = env.clock()
    const madeUp = {
      rid: 'issue-7',
      resource: 'Issue 7',
      url: 'https://example.com/issue-7',
      message: 'With our thanks for your patience.',
      first_name: 'Ann',
      ends: now + 30 * DAY,
    }
    return { ok: true, ...renderMail(body.template, name, madeUp, now) }
  },
})

export const settingsRoutes: readonly Route[] = [show, change, preview]
