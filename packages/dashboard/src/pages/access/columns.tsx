import type { AccessItem, AccessState } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { Clamped } from '../../components/display/clamped.tsx'
import { EmailWrap } from '../../components/display/email-wrap.tsx'
import { Money } from '../../components/display/money.tsx'
import { type BadgeState, StateBadge } from '../../components/display/state-badge.tsx'
import { Time } from '../../components/display/time.tsx'
import type { Column } from '../../components/lists/list-table.tsx'
import { formatDay, formatMoney, formatRelative } from '../../format.ts'
import { texts } from '../../texts.ts'
import { personLabel } from './access-labels.ts'

const BADGE_STATES: Record<AccessState, BadgeState> = {
  live: 'live',
  ending: 'ending',
  expired: 'ended',
  revoked: 'failed',
}

export function AccessBadge({ state }: { state: AccessState }): ReactNode {
  return <StateBadge state={BADGE_STATES[state]}>{texts.access.states[state]}</StateBadge>
}

/** A second identifier of the person, besides the one in the first line. */
const secondIdentifierOf = (row: AccessItem) =>
  [row.email, row.user_ref].find((text) => text && text !== personLabel(row)) ?? ''

function Person({ row }: { row: AccessItem }): ReactNode {
  const secondIdentifier = secondIdentifierOf(row)
  return (
    <>
      <EmailWrap>{personLabel(row)}</EmailWrap>
      {secondIdentifier !== '' && (
        <span className="block font-normal text-soft">
          <EmailWrap>{secondIdentifier}</EmailWrap>
        </span>
      )}
      <span className="block font-normal sm:hidden">{row.resource_name}</span>
      <span className="mt-1 block sm:hidden">
        <AccessBadge state={row.state} />
      </span>
    </>
  )
}

function End({ row, now }: { row: AccessItem; now: number }): ReactNode {
  const at = row.revoked ?? row.expires
  if (at === null) return <span className="text-soft">{texts.access.noEnd}</span>
  return (
    <>
      <Time at={at * 1000} now={null} day />
      <span className="text-soft max-[90rem]:hidden"> · {formatRelative(at * 1000, now)}</span>
    </>
  )
}

const dayOrNone = (seconds: number | null) => (seconds === null ? '' : formatDay(seconds * 1000))

export const accessColumns = (now: number): readonly Column<AccessItem>[] => [
  {
    id: 'person',
    header: texts.access.person,
    wraps: true,
    cell: (row) => <Person row={row} />,
    csv: (row) => row.email || personLabel(row),
  },
  {
    id: 'resource',
    header: texts.access.resource,
    wraps: true,
    from: 'sm',
    cell: ({ resource_name, rid }) => (
      <>
        {resource_name}
        {resource_name !== rid && <Clamped className="text-soft">{rid}</Clamped>}
      </>
    ),
    csv: ({ rid }) => rid,
  },
  {
    id: 'state',
    header: texts.access.state,
    from: 'sm',
    cell: ({ state }) => <AccessBadge state={state} />,
    csv: ({ state }) => texts.access.states[state],
  },
  {
    id: 'until',
    header: texts.access.until,
    from: 'md',
    cell: (row) => <End row={row} now={now} />,
    csv: ({ expires, revoked }) => dayOrNone(revoked ?? expires),
  },
  {
    id: 'since',
    header: texts.access.since,
    from: 'lg',
    cell: ({ created }) => <Time at={created * 1000} now={null} day />,
    csv: ({ created }) => dayOrNone(created),
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
