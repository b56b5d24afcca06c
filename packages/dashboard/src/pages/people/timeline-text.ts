import type { PersonMail, TimelineItem } from '@gatehouse/server/dashboard-api'
import { formatMoney } from '../../format.ts'
import { texts } from '../../texts.ts'
import { describeEnd } from '../access/end-choice.ts'
import { mailKindLabel, mailStateOf } from './mail-labels.ts'

const { happened, did, didRefund, sentence, paidFor, refunded, downloaded, mailed, actors } =
  texts.people

/** Returns the name of a resource. */
export type ResourceNameOf = (rid: string) => string

const isIn = <T extends object>(name: string, table: T): name is Extract<keyof T, string> =>
  Object.hasOwn(table, name)

type Words = Pick<typeof happened, 'granted' | 'changed'>

/** A grant to somebody who had access already is a change of it. */
function describeGrant(item: TimelineItem, thing: string, zone: string, words: Words) {
  const { expires, expires_before } = item
  const end = describeEnd(expires, zone)
  return expires_before === null || expires_before === expires
    ? words.granted(thing, end)
    : words.changed(thing, end, describeEnd(expires_before, zone))
}

function describeChange(item: TimelineItem, thing: string, zone: string): string {
  const { what } = item
  if (what === 'granted') return describeGrant(item, thing, zone, happened)
  if (what === 'changed' || !isIn(what, happened)) return what
  return (happened[what] as (thing: string) => string)(thing)
}

/** Describes the actor's action; undefined if there is no sentence that names an actor. */
function describeAction(
  item: TimelineItem,
  thing: string,
  sum: string,
  zone: string,
): string | undefined {
  const { kind, what } = item
  if (kind === 'refund') return isIn(what, didRefund) ? didRefund[what](sum, thing) : undefined
  if (kind !== 'change' || what === 'changed') return undefined
  if (what === 'granted') return describeGrant(item, thing, zone, did)
  return isIn(what, did) ? (did[what] as (thing: string) => string)(thing) : undefined
}

/** `what` has the form `kind status`. */
function describeMail({ what, about }: TimelineItem): string {
  const space = what.indexOf(' ')
  const status = mailStateOf(what.slice(space + 1) as PersonMail['status'])
  const kind = mailKindLabel(what.slice(0, space))
  return mailed(kind, about ?? '', texts.mails.states[status] ?? status)
}

/** Describes a timeline item, beginning with who did it, if that is given. Ends of
 * access are days in the time zone. One without a text is shown with the server's
 * own name for it. */
export function describeTimelineItem(
  item: TimelineItem,
  nameOf: ResourceNameOf,
  zone: string,
  who?: string,
): string {
  const { kind, what, money } = item
  const thing = item.rid === null ? '' : nameOf(item.rid)
  const sum = money === null ? '' : formatMoney(money)
  const action = who === undefined ? undefined : describeAction(item, thing, sum, zone)
  if (who !== undefined && action !== undefined) return sentence(who, action)
  switch (kind) {
    case 'change':
      return describeChange(item, thing, zone)
    case 'expired':
      return happened.expired(thing)
    case 'payment':
      return isIn(what, paidFor) ? paidFor[what](sum, thing) : what
    case 'refund':
      return isIn(what, refunded) ? refunded[what](sum, thing) : what
    case 'mail':
      return describeMail(item)
    case 'download':
      return isIn(what, downloaded) ? downloaded[what](thing) : what
  }
}

/** Finds the name of a member of staff. */
type StaffNameOf = (actor: string | null) => string | undefined

/** Describes who did it; undefined if that is obvious. */
export function describeActor(
  actor: string | null,
  me: string,
  staffNameOf: StaffNameOf,
): string | undefined {
  if (actor === null || actor === 'checkout' || actor === 'worker') return undefined
  if (actor === `staff:${me}`) return actors.you
  if (actor.startsWith('staff:')) return staffNameOf(actor) ?? actors.staff
  if (actor.startsWith('token:')) return staffNameOf(actor) ?? actors.token
  return isIn(actor, actors) ? actors[actor] : actor
}
