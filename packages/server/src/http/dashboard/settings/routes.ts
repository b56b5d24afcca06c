import type { Environment } from '../../../context.ts'
import {
  changedSettings,
  changeSettings,
  getApplication,
  lockApplication,
} from '../../../domain/apps/applications.ts'
import { readLegalLinks } from '../../../domain/brand/brand.ts'
import { DEFAULT_ACCENT } from '../../../domain/brand/color.ts'
import { createDisplayLinks } from '../../../domain/downloads/mail-links.ts'
import { renderMessage } from '../../../domain/mail/compose.ts'
import { sampleFiles, sampleMessage } from '../../../domain/mail/content/samples.ts'
import { problemsWithTemplate } from '../../../domain/mail/template.ts'
import { readTemplates } from '../../../domain/mail/template-kinds.ts'
import { mailTexts } from '../../../domain/mail/texts.ts'
import { imageUrl } from '../../../image-url.ts'
import { appRoute, DEVELOPERS, type Route, STAFF } from '../route.ts'
import { settingsIn } from './fields.ts'
import {
  type MailPreview,
  type PagePreview,
  PagePreviewQuery,
  PreviewBody,
  SettingsBody,
  type SettingsView,
} from './schemas.ts'

/** Enough for a logo on a sharp screen. */
const LOGO_WIDTH = 400

type Application = Awaited<ReturnType<typeof getApplication>>

function showSettings(env: Environment, app: Application): SettingsView {
  return {
    aid: app.aid,
    name: app.name,
    currency: app.currency,
    mail_from: app.mail_from ?? '',
    mail_template: app.mail_template ?? '',
    mail_templates: readTemplates(app.mail_templates),
    accent: app.accent ?? '',
    support_email: app.support_email ?? '',
    legal_links: readLegalLinks(app.legal_links),
    time_zone: app.time_zone,
    logo: app.logo_id === null ? null : imageUrl(env, app.aid, app.logo_id, LOGO_WIDTH),
    seller_name: app.seller_name ?? '',
    seller_address: app.seller_address ?? '',
    tax_line: app.tax_line ?? '',
    return_urls: JSON.parse(app.return_urls) as string[],
    grace_days: app.grace_days,
    require_ts: app.require_ts === 1,
    created: app.created,
    archived: app.archived,
    defaults: {
      mail_from: env.mailFrom,
      accent: DEFAULT_ACCENT,
      mail_template: mailTexts().templates.grant,
      mail_templates: mailTexts().templates,
      seller_name: app.name,
    },
    address: env.address(),
  }
}

const show = appRoute('GET /settings', {
  management: 'GET /settings',
  allowed: STAFF,
  handle: async ({ env, aid }) => showSettings(env, await getApplication(env.database.read, aid)),
})

const change = appRoute('PATCH /settings', {
  management: 'PATCH /settings',
  allowed: DEVELOPERS,
  action: 'settings.change',
  body: SettingsBody,
  async handle({ env, aid, body, actor, note }): Promise<SettingsView> {
    const app = await env.database.write(async (trx) => {
      const before = await lockApplication(trx, aid)
      const settings = settingsIn(body, before)
      const changed = changedSettings(before, settings)
      note({ changed: changed.join(' ') })
      return await changeSettings(trx, aid, settings, env.clock(), actor)
    })
    return showSettings(env, app)
  },
})

const preview = appRoute('POST /settings/mail-preview', {
  allowed: DEVELOPERS,
  body: PreviewBody,
  async handle({ env, aid, body }): Promise<MailPreview> {
    const { template, kind = 'grant' } = body
    const problems = problemsWithTemplate(template, kind)
    if (problems.length > 0) return { ok: false, problems }
    const app = await getApplication(env.database.read, aid)
    const now = env.clock()
    const seller = {
      name: app.seller_name ?? app.name,
      address: app.seller_address ?? '',
      tax_line: app.tax_line ?? '',
    }
    const message = sampleMessage(kind, { currency: app.currency, seller, now })
    const files = sampleFiles(`${env.address()}/files/for-the-reader-alone`)
    const hasFiles = message.kind === 'grant' || message.kind === 'receipt'
    const links = {
      ...createDisplayLinks(env, app),
      files: async () => (hasFiles ? files : []),
    }
    const shown = { ...app, accent: body.accent ?? app.accent }
    const rendered = await renderMessage(
      { aid, uid: '', recipient: 'ann@example.com' },
      message,
      shown,
      now,
      links,
      template,
    )
    return { ok: true, ...rendered }
  },
})

const previewPage = appRoute('GET /settings/page-preview', {
  allowed: STAFF,
  query: PagePreviewQuery,
  async handle({ env, aid, query, request, renderSample }): Promise<PagePreview> {
    const app = await getApplication(env.database.read, aid)
    const shown = { ...app, accent: query.accent ?? app.accent }
    return { html: renderSample(env, request, shown, query.page) }
  },
})

export const settingsRoutes: readonly Route[] = [show, change, preview, previewPage]
