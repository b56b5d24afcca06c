import { type PeoplePage as Listed, SUPPORT } from '@gatehouse/server/dashboard-api'
import { KeyRound, Users } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/display/empty-state.tsx'
import { StateBadge } from '../../components/display/state-badge.tsx'
import { Time } from '../../components/display/time.tsx'
import type { Column } from '../../components/lists/list-table.tsx'
import { RecordListPage } from '../../components/lists/record-list-page.tsx'
import { PersonCell } from '../../components/people/person-cell.tsx'
import { formatDay, formatNumber } from '../../format.ts'
import { useHasRole, useNow } from '../../frame/me.ts'
import { useCanChangeAccess } from '../../frame/use-can-change-access.ts'
import { texts } from '../../texts.ts'
import { type AccessAction, AccessDialogs } from '../access/access-actions.tsx'
import { emailOf, fullNameOf, personTitle } from './person-labels.ts'

type Row = Listed['data'][number]

function Live({ live }: { live: number }): ReactNode {
  if (live === 0) return <StateBadge state="ended">{texts.common.none}</StateBadge>
  return <StateBadge state="live">{formatNumber(live)}</StateBadge>
}

const columnsAt = (now: number): readonly Column<Row>[] => [
  {
    id: 'name',
    header: texts.people.person,
    wraps: true,
    sort: { by: 'name' },
    cell: (row) => <PersonCell name={fullNameOf(row)} email={emailOf(row)} />,
    csv: fullNameOf,
  },
  {
    id: 'email',
    header: texts.people.email.label,
    isCsvOnly: true,
    cell: emailOf,
    csv: ({ email }) => email,
  },
  {
    id: 'live',
    header: texts.people.live,
    cell: ({ live }) => <Live live={live} />,
    csv: ({ live }) => live,
  },
  {
    id: 'since',
    sort: { by: 'created', downFirst: true },
    header: texts.people.since,
    from: 'md',
    cell: ({ created }) => <Time at={created * 1000} now={now} day />,
    csv: ({ created }) => formatDay(created * 1000),
  },
]

export function PeoplePage(): ReactNode {
  const { path } = useAppScope()
  const canChangeAccess = useCanChangeAccess()
  const canExport = useHasRole(SUPPORT)
  const now = useNow()
  const columns = useMemo(() => columnsAt(now), [now])
  const [asked, ask] = useState<AccessAction>()
  const grant = (
    <Button variant="primary" icon={KeyRound} onClick={() => ask({ what: 'grant' })}>
      {texts.access.grant}
    </Button>
  )
  return (
    <>
      <RecordListPage<Row>
        title={texts.pages.people}
        lead={texts.people.lead}
        {...(canChangeAccess ? { action: grant } : {})}
        list="people"
        searchFor={texts.people.searchFor}
        columns={columns}
        keyOf={({ uid }) => uid}
        nameOf={personTitle}
        hrefOf={({ uid }) => path('people', uid)}
        canExport={canExport}
        empty={
          <EmptyState
            icon={Users}
            title={texts.people.noneTitle}
            {...(canChangeAccess ? { action: grant } : {})}
          >
            {texts.people.none}
          </EmptyState>
        }
      />
      <AccessDialogs asked={asked} onClose={() => ask(undefined)} />
    </>
  )
}
