import type {
  AccessDetails,
  PersonDetails,
  Reading,
  SourceItem,
} from '@gatehouse/server/dashboard-api'
import { formatList, formatMoney } from '../../format.ts'
import { texts } from '../../texts.ts'
import { describeEnd, formatDayIn } from '../access/end-choice.ts'

const { why, because, over } = texts.people

/** The time at which access is explained, and how to write a day; both in seconds. */
interface When {
  now: number
  day: (at: number) => string
}

/** When this source stopped, or will stop, granting access. */
const endOfSource = ({ expires, closed }: SourceItem) =>
  Math.min(expires ?? Number.POSITIVE_INFINITY, closed ?? Number.POSITIVE_INFINITY)

function describePurchase({ payment, created, starts }: SourceItem, { now, day }: When): string {
  const sum = payment === null ? '' : formatMoney(payment.amount)
  if (starts !== null && starts > now) return because.purchaseLater(sum, day(starts))
  return payment?.status === 'disputed'
    ? because.disputed(sum, day(created))
    : because.purchase(sum, day(created))
}

/** Describes why a source grants access: “because of …”. */
function describeSource(source: SourceItem, isRenewed: boolean, when: When): string {
  const { day } = when
  const { kind, created, subscription } = source
  if (kind === 'grant') return because.grant(day(created))
  if (kind === 'purchase' || subscription === null) return describePurchase(source, when)
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

/** Describes why a source no longer grants access. The code says what ended it. */
function describeEndedSource(
  source: SourceItem,
  code: Reading['code'],
  { subscriptions }: PersonDetails,
  { day }: When,
): string {
  const { kind, created, payment, subscription } = source
  const sum = payment === null ? '' : formatMoney(payment.amount)
  if (kind === 'grant') return over.grant(day(created))
  if (kind === 'purchase') {
    if (code === 'dispute_lost') return over.lost(sum)
    return code === 'refunded' ? over.refunded(sum) : over.purchase(sum)
  }
  switch (code) {
    case 'unpaid':
      return over.unpaid
    case 'refunded':
      return over.subscriptionRefunded
    case 'dispute_lost':
      return over.subscriptionLost
    default: {
      const known = subscriptions.find(({ id }) => id === subscription?.id)
      return (known?.canceled ?? null) === null ? over.subscription : over.canceled
    }
  }
}

function explainLive(record: AccessDetails | undefined, end: string, when: When): string {
  const open = (record?.sources ?? [])
    .filter((source) => endOfSource(source) > when.now)
    .sort((a, b) => endOfSource(b) - endOfSource(a))
  if (open.length === 0) return why.liveBare(end)
  const isRenewed = typeof record?.renews === 'number'
  const because = formatList(open.map((source) => describeSource(source, isRenewed, when)))
  return isRenewed ? why.renewed(because) : why.live(end, because)
}

function explainEnded(
  person: PersonDetails,
  { code, since }: Reading,
  record: AccessDetails | undefined,
  when: When,
): string {
  const [last] = [...(record?.sources ?? [])].sort((a, b) => endOfSource(b) - endOfSource(a))
  const on = when.day(since ?? record?.expires ?? 0)
  return last === undefined
    ? why.expiredBare(on)
    : why.expired(on, describeEndedSource(last, code, person, when))
}

/** The relevant record: the unrevoked one, otherwise the newest. */
export function currentRecord(person: PersonDetails, rid: string): AccessDetails | undefined {
  const own = person.access.filter((record) => record.rid === rid)
  return own.find(({ revoked }) => revoked === null) ?? own[0]
}

/** Explains in one sentence why a person can or can't read something, with days in the time zone. `now` is in
 * seconds. */
export function explainAccess(
  person: PersonDetails,
  reading: Reading,
  now: number,
  zone: string,
): string {
  const pass = reading.pass_name
  const when = { now, day: (at: number) => formatDayIn(zone, at) }
  const sentence = explainRecord(person, reading, when, describeEnd(reading.expires, zone))
  return pass === null ? sentence : why.through(pass, sentence)
}

function explainRecord(person: PersonDetails, reading: Reading, when: When, end: string): string {
  const record = currentRecord(person, reading.via ?? reading.rid)
  switch (reading.code) {
    case 'never_granted':
    case 'not_started':
    case 'user_unknown':
    case 'application_archived':
      return why[reading.code]
    case 'revoked':
      return why.revoked(when.day(reading.since ?? 0))
    case 'expired':
    case 'refunded':
    case 'dispute_lost':
    case 'unpaid':
      return explainEnded(person, reading, record, when)
    default:
      return explainLive(record, end, when)
  }
}

/** Advice for the case that somebody with access says that they can't read: the site may know them under another ID.
 * Undefined for people without access. The IDs of a merged entry go on working. */
export function refusedAdvice({
  person: { refs, aliases },
  reading,
}: Pick<PersonDetails, 'person' | 'reading'>): string | undefined {
  if (!reading.some(({ access }) => access)) return undefined
  const { noneButLive, noneWithoutRef } = texts.people.refusedChecks
  return refs.length + aliases.length === 0 ? noneWithoutRef : noneButLive
}
