import type { Seconds } from '../../db/tables.ts'
import { listApplications } from '../apps/applications.ts'
import { type AttentionCounts, countAttention } from '../figures/attention.ts'
import { addDays, type Day, dayAt } from '../figures/days.ts'
import { resolveRange } from '../figures/ranges.ts'
import { listCurrencies, sumRevenue } from '../figures/revenue.ts'
import { countSubscribers } from '../figures/subscribers.ts'
import { countFailedMails } from '../mail/failed.ts'
import { enqueueStaffMails } from '../staff/mails.ts'
import type { ControlTrx } from '../staff/staff.ts'
import { listRecipients } from './choices.ts'
import type { NotificationContext, NotifyingEnvironment } from './context.ts'

/** The digest of a day is made when the next day is so old, in the time zone of the application. */
const DIGEST_HOUR = 7

/** The content of a digest. Currencies are never added. */
export interface Digest extends AttentionCounts {
  day: Day
  revenue: { currency: string; net: number; sales: number }[]
  /** Subscribers who joined, counting those who came back, and who left. */
  joined: number
  left: number
  subscribers: number
  failedMails: number
}

/** Makes the digest of yesterday for each application of an environment that has none yet. Returns how many were made. */
export async function makeDigests(
  ctx: NotificationContext,
  env: NotifyingEnvironment,
): Promise<number> {
  await env.refreshClock()
  const done = await ctx.control.read.selectFrom('staff_digests').selectAll().execute()
  const lastDays = new Map(done.map(({ aid, day }) => [aid, day]))
  let made = 0
  for (const { aid, time_zone, archived } of await listApplications(env.database.read)) {
    const day = digestDay(time_zone, env.clock())
    const last = lastDays.get(aid)
    if (archived !== null || last === day) continue
    if (await makeDigest(ctx, env, { aid, zone: time_zone, last, day })) made++
  }
  return made
}

interface DueDigest {
  aid: string
  zone: string
  /** The day of the digest before this one; undefined if there was none. */
  last: Day | undefined
  day: Day
}

async function makeDigest(
  ctx: NotificationContext,
  env: NotifyingEnvironment,
  { aid, zone, last, day }: DueDigest,
): Promise<boolean> {
  const { control } = ctx
  const isWanted = ctx.environments.production.mailer !== undefined && last !== undefined
  const application = { environment: env.name, aid }
  const members = isWanted ? await listRecipients(control.read, application, 'digest') : []
  const digest = members.length > 0 ? await readDigest(env, aid, zone, day) : undefined
  const isWorthIt = digest !== undefined && hasContent(digest)
  return await control.write(async (trx) => {
    // Another process may have made it a moment ago.
    if (!(await markDone(trx, aid, last, day))) return false
    const mails = members.map(({ id: staff_id }) => {
      const key = `digest:${aid}:${day}:${staff_id}`
      return { key, kind: 'digest' as const, staff_id, aid, payload: { ...digest } }
    })
    if (isWorthIt) await enqueueStaffMails(trx, mails, env.realTime())
    return isWorthIt
  })
}

/** Returns the last day whose digest should have been made. */
const digestDay = (zone: string, now: Seconds): Day =>
  addDays(dayAt(zone, now - DIGEST_HOUR * 3_600), -1)

/** Returns false if the day is not the one that was read any more. The first day of an application is only remembered:
 * there is nothing to tell about the time before. */
async function markDone(
  trx: ControlTrx,
  aid: string,
  before: Day | undefined,
  day: Day,
): Promise<boolean> {
  if (before === undefined) {
    const row = trx.insertInto('staff_digests').values({ aid, day })
    const added = await row
      .onConflict((oc) => oc.doNothing())
      .returning('aid')
      .execute()
    return added.length > 0
  }
  const changed = await trx
    .updateTable('staff_digests')
    .set({ day })
    .where((eb) => eb.and({ aid, day: before }))
    .returning('aid')
    .execute()
  return changed.length > 0
}

async function readDigest(
  { database: { read }, clock }: NotifyingEnvironment,
  aid: string,
  zone: string,
  day: Day,
): Promise<Digest> {
  const now = clock()
  const { range } = resolveRange({ first: day, last: day }, zone, now)
  const revenue: Digest['revenue'] = []
  for (const currency of await listCurrencies(read, aid)) {
    const { net, sales, refunded, lost } = await sumRevenue(read, { aid, currency }, range)
    if (sales + refunded + lost > 0) revenue.push({ currency, net, sales })
  }
  // The currency matters for amounts a month alone, which a digest doesn't show.
  const counted = await countSubscribers(read, { aid, currency: '' }, range, now)
  return {
    day,
    revenue,
    joined: counted.new.count + counted.back.count,
    left: counted.left.count,
    subscribers: counted.end.count,
    failedMails: await countFailedMails(read, aid),
    ...(await countAttention(read, aid)),
  }
}

/** A day on which nothing happened, and after which nothing needs attention, makes no email. */
const hasContent = ({ revenue, joined, left, ...rest }: Digest): boolean =>
  revenue.length + joined + left > 0 || attentionOf(rest) > 0

const attentionOf = (counts: AttentionCounts & Pick<Digest, 'failedMails'>): number =>
  counts.pastDue + counts.disputed + counts.mismatched + counts.failedMails
