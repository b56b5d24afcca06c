import type { AccessItem, AccessState } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { Money } from '../../components/display/money.tsx'
import { badgeOf } from '../../components/display/state-badge.tsx'
import { Time } from '../../components/display/time.tsx'
import type { Column } from '../../components/lists/list-table.tsx'
import { PersonCell } from '../../components/people/person-cell.tsx'
import { formatMoney, formatRelative } from '../../format.ts'
import { texts } from '../../texts.ts'
import { personLabel } from './access-labels.ts'
import { formatDayIn } from './end-choice.ts'

export const AccessBadge = badgeOf<AccessState>(texts.access.states, {
  live: 'live',
  ending: 'ending',
  expired: 'ended',
  revoked: 'failed',
})

/** The time at which a subscription renews the record; null if none does, or if the record was revoked. */
const renewalTimeOf = ({ revoked, renews }: AccessItem) => (revoked === null ? renews : null)

interface RowProps {
  row: AccessItem
  now: number
  zone: string
}

function End({ row, now, zone }: RowProps): ReactNode {
  const renews = renewalTimeOf(row)
  const at = renews ?? row.revoked ?? row.expires
  if (at === null) return <span className="text-soft">{texts.access.noEnd}</span>
  return (
    <>
      {renews !== null && `${texts.access.renews} `}
      <Time at={at * 1000} now={null} text={formatDayIn(zone, at)} />
      <span className="text-soft max-[90rem]:hidden"> · {formatRelative(at * 1000, now)}</span>
    </>
  )
}

/** The person and, on narrow screens, what the hidden columns say. */
function Person({ row, now, zone }: RowProps): ReactNode {
  return (
    <PersonCell name={row.name} email={row.email} fallback={row.user_ref ?? ''}>
      <span className="block font-normal sm:hidden">{row.resource_name}</span>
      <span className="mt-1 flex flex-wrap items-center gap-x-2 font-normal sm:hidden">
        <AccessBadge state={row.state} />
        <End row={row} now={now} zone={zone} />
      </span>
    </PersonCell>
  )
}

const dayOrNone = (seconds: number | null, zone: string) =>
  seconds === null ? '' : formatDayIn(zone, seconds)

/** The columns of the list, with days in the time zone of the application. */
export const accessColumns = (now: number, zone: string): readonly Column<AccessItem>[] => [
  {
    id: 'person',
    header: texts.access.person,
    wraps: true,
    sort: { by: 'name' },
    cell: (row) => <Person row={row} now={now} zone={zone} />,
    csv: (row) => row.email || personLabel(row),
  },
  {
    id: 'resource',
    header: texts.access.resource,
    wraps: true,
    from: 'sm',
    cell: ({ resource_name }) => resource_name,
    csv: ({ rid }) => rid,
  },
  {
    id: 'state',
    header: texts.access.state,
    from: 'sm',
    cell: (row) => (
      <>
        <AccessBadge state={row.state} />
        <span className="mt-1 block md:hidden">
          <End row={row} now={now} zone={zone} />
        </span>
      </>
    ),
    csv: ({ state }) => texts.access.states[state],
  },
  {
    id: 'until',
    sort: { by: 'ends' },
    header: texts.access.until,
    from: 'md',
    cell: (row) => <End row={row} now={now} zone={zone} />,
    csv: (row) => {
      const renews = renewalTimeOf(row)
      if (renews !== null) return `${texts.access.renews} ${dayOrNone(renews, zone)}`
      return dayOrNone(row.revoked ?? row.expires, zone)
    },
  },
  {
    id: 'since',
    sort: { by: 'created', downFirst: true },
    header: texts.access.since,
    from: 'lg',
    cell: ({ created }) => (
      <Time at={created * 1000} now={null} text={formatDayIn(zone, created)} />
    ),
    csv: ({ created }) => dayOrNone(created, zone),
  },
  {
    id: 'paid',
    header: texts.access.paid,
    right: true,
    from: 'xl',
    cell: ({ paid }) =>
      paid === null ? <span className="text-soft">—</span> : <Money value={paid} />,
    csv: ({ paid }) => (paid === null ? '' : formatMoney(paid)),
  },
]
