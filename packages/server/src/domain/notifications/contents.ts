import type { NoticeKind, NotificationKind } from '../../db/tables.ts'
import { pushTo } from '../../push-to.ts'
import type { Formats } from '../brand/formats.ts'
import type { Fact } from '../mail/html.ts'
import type { NoticeBundle } from './bundles.ts'
import type { Digest } from './digest.ts'
import type { StaffMailContent } from './render.ts'
import { notificationTexts } from './texts.ts'

/** The application that an email is about. */
export interface AboutApplication {
  name: string
  isSandbox: boolean
  formats: Formats
  /** The URL of a page of the application in the dashboard. */
  page(path: string): string
}

/** The part of an email that depends on what happened. */
type Content = Pick<StaffMailContent, 'subject' | 'heading' | 'paragraphs' | 'facts' | 'button'>

export function noticeContent(
  kind: NoticeKind,
  bundle: NoticeBundle,
  about: AboutApplication,
): Content {
  const content =
    bundle.count === 1 ? oneNotice(kind, bundle, about) : manyNotices(kind, bundle, about)
  return { ...content, subject: subjectOf(about, content.subject) }
}

const subjectOf = ({ name, isSandbox }: AboutApplication, subject: string) => {
  const { sandbox } = notificationTexts()
  return `${isSandbox ? `${sandbox} · ` : ''}${name}: ${subject}`
}

interface Pages {
  /** The page of all subjects. */
  list: string
  /** Each subject has a page of its own below this one. */
  folder: string
  openOne: string
  openAll: string
}

/** The pages that a kind of notice leads to. */
function pagesOf(kind: NoticeKind): Pages {
  const { notices: texts } = notificationTexts()
  switch (kind) {
    case 'payment_failed':
      return {
        list: 'subscriptions',
        folder: 'subscriptions',
        openOne: texts.openSubscription,
        openAll: texts.openSubscriptions,
      }
    case 'webhook_failed':
      return {
        list: 'developers?tab=webhooks',
        folder: 'developers/webhooks',
        openOne: texts.openWebhook,
        openAll: texts.openWebhooks,
      }
    default:
      return {
        list: 'payments',
        folder: 'payments',
        openOne: texts.openPayment,
        openAll: texts.openPayments,
      }
  }
}

/** Notices about webhooks have no currency, and no amount. */
const moneyOf = (formats: Formats, amount: number, currency: string) =>
  currency === '' ? undefined : formats.money(amount, currency)

function oneNotice(
  kind: NoticeKind,
  { items }: NoticeBundle,
  { formats, page }: AboutApplication,
): Content {
  const { notices } = notificationTexts()
  const [item] = items as [NoticeBundle['items'][number]]
  const money = moneyOf(formats, item.amount, item.currency)
  const { subject, heading, text } = notices.one[item.event](money ?? '', item.resource)
  const { folder, openOne } = pagesOf(kind)
  const itemLabel = money === undefined ? notices.host : notices.itemLabel
  return {
    subject,
    heading,
    paragraphs: [text],
    facts: [
      { label: itemLabel, lines: [item.resource] },
      ...(money === undefined ? [] : [{ label: notices.amount, lines: [money] }]),
      { label: notices.time, lines: [formats.moment(item.at)] },
    ],
    button: { url: page(`${folder}/${item.subject}`), label: openOne },
  }
}

function manyNotices(
  kind: NoticeKind,
  { count, events, items }: NoticeBundle,
  { formats, page }: AboutApplication,
): Content {
  const { notices } = notificationTexts()
  const heading = notices.many[kind](count)
  const sums = new Map<string, string[]>()
  for (const { event, count: number, currency, amount } of events) {
    const money = moneyOf(formats, amount, currency)
    const line = money === undefined ? notices.moreCount(number) : notices.sum(number, money)
    pushTo(sums, notices.events[event], line)
  }
  const listed = items.map(
    ({ resource, amount, currency, event }): Fact => ({
      label: moneyOf(formats, amount, currency) ?? notices.host,
      lines: [notices.item(resource, notices.short[event])],
    }),
  )
  const rest = count - items.length
  const more: Fact[] = rest > 0 ? [{ label: notices.more, lines: [notices.moreCount(rest)] }] : []
  const { list, openAll } = pagesOf(kind)
  return {
    subject: heading,
    heading,
    paragraphs: [],
    facts: [...[...sums].map(([label, lines]): Fact => ({ label, lines })), ...listed, ...more],
    button: { url: page(list), label: openAll },
  }
}

export function digestContent(digest: Digest, about: AboutApplication): Content {
  const { digest: texts } = notificationTexts()
  const { formats, page } = about
  const day = dayInWords(digest.day)
  const revenue = digest.revenue.map(({ currency, net, sales }) =>
    // There may have been refunds alone.
    sales === 0
      ? formats.money(net, currency)
      : texts.netOf(formats.money(net, currency), texts.payments(sales)),
  )
  const attention = [
    ...(digest.disputed > 0 ? [texts.disputed(digest.disputed)] : []),
    ...(digest.pastDue > 0 ? [texts.pastDue(digest.pastDue)] : []),
    ...(digest.mismatched > 0 ? [texts.mismatched(digest.mismatched)] : []),
    ...(digest.failedMails > 0 ? [texts.failedMails(digest.failedMails)] : []),
  ]
  return {
    subject: subjectOf(about, texts.subject(day)),
    heading: day,
    paragraphs: [],
    facts: [
      { label: texts.net, lines: revenue.length > 0 ? revenue : [texts.noRevenue], total: true },
      { label: texts.joined, lines: [String(digest.joined)] },
      { label: texts.left, lines: [String(digest.left)] },
      { label: texts.subscribers, lines: [digest.subscribers.toLocaleString('en')] },
      { label: texts.attention, lines: attention.length > 0 ? attention : [texts.nothing] },
    ],
    button: { url: page('overview'), label: texts.open },
  }
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })

/** Monday 16 November 2026 */
const dayInWords = (day: string) => dayFormat.format(Date.parse(`${day}T00:00:00Z`))

export const whyText = (kind: NotificationKind) => notificationTexts().footer.why[kind]
