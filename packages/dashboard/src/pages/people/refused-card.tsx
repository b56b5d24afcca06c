import type { PersonDetails, RefusedCheckItem } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { Card } from '../../components/display/card.tsx'
import { TimeInWords } from '../../components/display/time-in-words.tsx'
import { formatDay, formatMinute } from '../../format.ts'
import { useNow } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { Folded } from './folded.tsx'

const words = texts.people.refusedChecks

/** Why the check was refused at its time. */
function reasonOf({ rid, resource_name, code, since, via_name }: RefusedCheckItem): string {
  const thing = resource_name || rid
  // A minute may matter: the reader may have tried right after the end.
  const at = since === null ? '' : formatMinute(since * 1000)
  const access = via_name === null ? words.access : words.accessThrough(via_name)
  switch (code) {
    case 'expired':
      return words.expired(thing, access, at)
    case 'revoked':
      return words.revoked(thing, access, at)
    default:
      return words[code](thing)
  }
}

const SHOWN = 5

/** The last access checks of the site that were refused to this person. Not shown if there were none. */
export function RefusedCard({ details }: { details: PersonDetails }): ReactNode {
  const checks = details.refused_checks
  if (checks.length === 0) return null
  const live = new Set(details.reading.filter(({ access }) => access).map(({ rid }) => rid))
  const toLine = (check: RefusedCheckItem) => (
    <CheckLine key={`${check.rid} ${check.code}`} check={check} isOpenNow={live.has(check.rid)} />
  )
  const rest = checks.slice(SHOWN)
  return (
    <Card title={words.title} lead={words.lead}>
      <ul className="-my-1 divide-y divide-line">{checks.slice(0, SHOWN).map(toLine)}</ul>
      {rest.length > 0 && (
        <Folded title={words.more(rest.length)}>
          <ul className="mt-1 divide-y divide-line">{rest.map(toLine)}</ul>
        </Folded>
      )}
    </Card>
  )
}

function CheckLine({
  check,
  isOpenNow,
}: {
  check: RefusedCheckItem
  isOpenNow: boolean
}): ReactNode {
  const now = useNow()
  const { times, first_at, last_at } = check
  return (
    <li className="py-2.5 wrap-anywhere">
      <p>
        {reasonOf(check)}
        {isOpenNow && ` ${words.openNow}`}
      </p>
      <p className="text-xs text-soft">
        <TimeInWords at={last_at * 1000} now={now} />
        {times > 1 && ` · ${words.times(times, formatDay(first_at * 1000))}`}
      </p>
    </li>
  )
}
