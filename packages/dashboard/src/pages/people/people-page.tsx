import { KeyRound, Users } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import type { PeoplePage as Listed } from '../../../../server/src/http/dashboard/people/schemas.ts'
import { get, keys } from '../../api.ts'
import { formatDay, formatNumber } from '../../format.ts'
import { useNow } from '../../frame/me.ts'
import { Button } from '../../parts/button.tsx'
import { Breaking } from '../../parts/display/breaking.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { StateBadge } from '../../parts/display/state-badge.tsx'
import { Time } from '../../parts/display/time.tsx'
import { ListPage } from '../../parts/lists/list-page.tsx'
import type { Column } from '../../parts/lists/list-table.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { AccessDialogs, type Asked } from '../access/actions.tsx'
import { useMayHelp } from '../access/use-may-help.ts'
import { addressOf, fullNameOf, titleOf } from './names.ts'

type Row = Listed['data'][number]

function Live({ live }: { live: number }): ReactNode {
  if (live === 0) return <StateBadge state="ended">{texts.common.none}</StateBadge>
  return <StateBadge state="live">{formatNumber(live)}</StateBadge>
}

const columnsAt = (now: number): readonly Column<Row>[] => [
  {
    id: 'name',
    header: texts.people.name,
    wraps: true,
    cell: (row) => (
      <>
        <Breaking>{titleOf(row)}</Breaking>
        {addressOf(row) !== titleOf(row) && (
          <span className="block font-normal text-soft sm:hidden">
            <Breaking>{addressOf(row)}</Breaking>
          </span>
        )}
      </>
    ),
    csv: fullNameOf,
  },
  {
    id: 'email',
    header: texts.people.email,
    wraps: true,
    from: 'sm',
    cell: (row) =>
      addressOf(row) === '' ? (
        <span className="text-soft">{texts.people.noEmail}</span>
      ) : (
        <Breaking>{addressOf(row)}</Breaking>
      ),
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
    header: texts.people.since,
    from: 'md',
    cell: ({ created }) => <Time at={created * 1000} now={now} day />,
    csv: ({ created }) => formatDay(created * 1000),
  },
]

export function PeoplePage(): ReactNode {
  const { environment, aid, path } = usePlace()
  const may = useMayHelp()
  const now = useNow()
  const columns = useMemo(() => columnsAt(now), [now])
  const [asked, ask] = useState<Asked>()
  const grant = (
    <Button look="primary" icon={KeyRound} onClick={() => ask({ what: 'grant' })}>
      {texts.access.grant}
    </Button>
  )
  return (
    <>
      <ListPage<Row>
        title={texts.pages.people}
        lead={texts.people.lead}
        {...(may ? { action: grant } : {})}
        queryKey={keys.of(environment, aid, 'people')}
        load={(parameters, signal) => get<Listed>(path('people'), parameters, signal)}
        searchFor={texts.people.searchFor}
        columns={columns}
        keyOf={({ uid }) => uid}
        nameOf={titleOf}
        hrefOf={({ uid }) => path('people', uid)}
        csvName="people"
        empty={
          <EmptyState
            icon={Users}
            title={texts.people.noneTitle}
            {...(may ? { action: grant } : {})}
          >
            {texts.people.none}
          </EmptyState>
        }
      />
      <AccessDialogs asked={asked} onClose={() => ask(undefined)} />
    </>
  )
}
