import type { PersonMail, TimelineItem } from '@gatehouse/server/dashboard-api'
import { formatMoney } from '../../format.ts'
import { texts } from '../../texts.ts'
import { describeEnd } from '../access/end-choice.ts'
import { mailKindLabel, mailStateOf } from './mail-labels.ts'

const { happened, paidFor, refunded, downloaded, mailed, actors } = texts.people

/** Returns the name of a resource. */
export type ResourceNameOf = (rid: string) => string

const isIn = <T extends object>(name: string, table: T): name is Extract<keyof T, string> =>
  Object.hasOwn(table, name)

function describeChange(item: TimelineItem, thing: string): string {
  const { what, expires, expires_before } = item
  if (what === 'granted') {
    const end = describeEnd(expires)
    return expires_before === null || expires_before === expires
      ? happened.granted(thing, end)
      : happened.changed(thing, end, describeEnd(expires_before))
  }
  if (what === 'changed' || !isIn(what, happened)) return what
  return (happened[what] as (thing: string) => string)(thing)
}

/** `what` has the form `kind status`. */
function describeMail(what: string): string {
  const space = what.indexOf(' ')
  const status = mailStateOf(what.slice(space + 1) as PersonMail['status'])
  return mailed(mailKindLabel(what.slice(0, space)), texts.mails.states[status] ?? status)
}

/** Describes a timeline item; one without a text is shown with the server's own name for it. */
export function describeTimelineItem(item: TimelineItem, nameOf: ResourceNameOf): string {
  const { kind, what, money } = item
  const thing = item.rid === null ? '' : nameOf(item.rid)
  const sum = money === null ? '' : formatMoney(money)
  switch (kind) {
    case 'change':
      return describeChange(item, thing)
    case 'expired':
      return happened.expired(thing)
    case 'payment':
      return isIn(what, paidFor) ? paidFor[what](sum, thing) : what
    case 'refund':
      return isIn(what, refunded) ? refunded[what](sum, thing) : what
    case 'mail':
      return describeMail(what)
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
  return isIn(actor, actors) ? actors[actor] : actor
}
