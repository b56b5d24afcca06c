import type { Environment } from '../../context.ts'
import type { ApplicationTable, Seconds } from '../../db/tables.ts'
import { brandOf } from '../../domain/brand/brand.ts'
import type { Formats } from '../../domain/brand/formats.ts'
import type { Offer } from '../../domain/payments/checkout/purchase-link.ts'
import type { SubscriptionRow } from '../../domain/subscriptions/subscriptions.ts'
import { NOTHING } from '../pages/html.ts'
import { formatsFor } from '../pages/locale.ts'
import { type Page, renderPage } from '../pages/page.ts'
import type { RenderSample } from '../pages/sample.ts'
import { buyPage } from './buy-page.ts'
import { NO_FILES } from './files.ts'
import { managePage } from './manage/page.ts'
import { checkoutTexts } from './texts.ts'

interface Sampled {
  env: Environment
  app: ApplicationTable
  formats: Formats
  now: Seconds
}

const DAY: Seconds = 86_400
const RID = 'sample'
const ONCE = 450
const MONTHLY = 999

/** Renders a readers' page with sample data, through the code that renders the real one. */
export const renderSamplePage: RenderSample = (env, request, app, page) => {
  const sampled = { env, app, formats: formatsFor(request, brandOf(app)), now: env.clock() }
  return renderPage(env, page === 'checkout' ? sampleCheckout(sampled) : sampleAccount(sampled))
}

function sampleCheckout({ env, app, formats, now }: Sampled): Page {
  const { title, description } = checkoutTexts().sample
  const once = { id: 'once', amount: ONCE, currency: app.currency, isTrialUsed: false }
  const offers: Offer[] = [
    { ...once, recurring: 0, period: null, trial_days: 0 },
    { ...once, id: 'monthly', amount: MONTHLY, recurring: 1, period: '1 month', trial_days: 0 },
  ]
  return buyPage({
    link: {
      ...{ app, rid: RID, title, description, offers, imageId: null, url: '' },
      ...{
        owned: undefined,
        pass: undefined,
        chosen: undefined,
        returnUrl: undefined,
        vouched: undefined,
      },
    },
    form: { values: {}, problems: {} },
    formats,
    now,
    sendsMail: env.delivery === 'queued',
    manageUrl: undefined,
    cover: NOTHING,
    files: NO_FILES,
  })
}

function sampleAccount({ app, formats, now }: Sampled): Page {
  const { aid, currency } = app
  const end = now + 20 * DAY
  const start = now - 10 * DAY
  const subscription: SubscriptionRow = {
    ...{ id: RID, aid, rid: RID, uid: RID, access_id: RID, amount: MONTHLY, currency },
    ...{ period: '1 month', status: 'active', created: start, trial_ends: null, anchor: start },
    ...{ periods: 1, current_period_start: start, current_period_end: end },
    ...{ canceled: null, ended: null, next_due: end, next_step: 'renew', tries: 0 },
    ...{ provider: 'test', method: RID },
  }
  const { title } = checkoutTexts().sample
  const shown = { subscription, app, title, formats, now, thumb: NOTHING, files: NO_FILES, url: '' }
  return managePage({ ...shown, takesCards: true, isOnSale: true }, undefined)
}
