import type {
  AccessDetails,
  PersonDetails,
  Reading,
  SourceItem,
} from '@gatehouse/server/dashboard-api'
import { formatDay, formatList, formatMoney } from '../../format.ts'
import { texts } from '../../texts.ts'
import { describeEnd } from '../access/end-choice.ts'

const { why, because, over } = texts.people
const day = (seconds: number) => formatDay(seconds * 1000)

/** When this source stopped, or will stop, granting access. */
const endOfSource = ({ expires, closed }: SourceItem) =>
  Math.min(expires ?? Number.POSITIVE_INFINITY, closed ?? Number.POSITIVE_INFINITY)

function describePurchase({ payment, created, starts }: SourceItem, now: number): string {
  const sum = payment === null ? '' : formatMoney(payment.amount)
  if (starts !== null && starts > now) return because.purchaseLater(sum, day(starts))
  return payment?.status === 'disputed'
    ? because.disputed(sum, day(created))
    : because.purchase(sum, day(created))
}

/** Describes why a source grants access: “because of …”. */
function describeSource(source: SourceItem, isRenewed: boolean, now: number): string {
  const { kind, created, subscription } = source
  if (kind === 'grant') return because.grant(day(created))
  if (kind === 'purchase' || subscription === null) return describePurchase(source, now)
  const until = day(subscription.current_period_end)
  switch (subscription.status) {
    case 'past_due':
      return because.past_due
    case 'canceled':
      return because.canceled(until)
    case 'trialing':
      return isRenewed ? because.trialRenews(until) : because.trialing(until)
    default:
      return isRenewed ? because.renews(until) : because.active(until)
  }
}

/** Describes why a source no longer grants access. */
function describeEndedSource(source: SourceItem, { subscriptions }: PersonDetails): string {
  const { kind, created, payment, subscription, closed, expires } = source
  if (kind === 'grant') return over.grant(day(created))
  const sum = payment === null ? '' : formatMoney(payment.amount)
  if (payment?.status === 'lost') return over.lost(sum)
  if (payment?.status === 'refunded') return over.refunded(sum)
  if (kind === 'purchase') {
    const isEarly = closed !== null && (expires === null || closed < expires)
    return isEarly ? over.refunded(sum) : over.purchase(sum)
  }
  const known = subscriptions.find(({ id }) => id === subscription?.id)
  if (known === undefined) return over.subscription
  if (known.canceled !== null) return over.canceled
  return known.tries > 0 ? over.unpaid : over.subscription
}

function explainLive(record: AccessDetails | undefined, end: string, now: number): string {
  const open = (record?.sources ?? [])
    .filter((source) => endOfSource(source) > now)
    .sort((a, b) => endOfSource(b) - endOfSource(a))
  if (open.length === 0) return why.liveBare(end)
  const isRenewed = typeof record?.renews === 'number'
  const because = formatList(open.map((source) => describeSource(source, isRenewed, now)))
  return isRenewed ? why.renewed(because) : why.live(end, because)
}

function explainExpired(person: PersonDetails, record: AccessDetails | undefined): string {
  const [last] = [...(record?.sources ?? [])].sort((a, b) => endOfSource(b) - endOfSource(a))
  const expires = record?.expires ?? 0
  if (last === undefined) return why.expiredBare(day(expires))
  const at = endOfSource(last)
  return why.expired(day(Number.isFinite(at) ? at : expires), describeEndedSource(last, person))
}

/** The relevant record: the unrevoked one, otherwise the newest. */
export function currentRecord(person: PersonDetails, rid: string): AccessDetails | undefined {
  const own = person.access.filter((record) => record.rid === rid)
  return own.find(({ revoked }) => revoked === null) ?? own[0]
}

/** Explains in one sentence why a person can or can't read something. `now` is in seconds. */
export function explainAccess(person: PersonDetails, reading: Reading, now: number): string {
  const record = currentRecord(person, reading.rid)
  switch (reading.code) {
    case 'live':
      return explainLive(record, describeEnd(reading.expires), now)
    case 'expired':
      return explainExpired(person, record)
    case 'revoked':
      return why.revoked(day(record?.revoked ?? 0))
    default:
      return why[reading.code]
  }
}
