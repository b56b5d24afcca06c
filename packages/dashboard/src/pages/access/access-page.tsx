import type { AccessItem } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import { CalendarPlus, CircleSlash, KeyRound, Upload } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { EmptyState } from '../../components/display/empty-state.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { RecordListPage } from '../../components/lists/record-list-page.tsx'
import { useHashAction } from '../../components/use-hash-action.ts'
import { useNow, useTimeZone } from '../../frame/me.ts'
import { useCanChangeAccess } from '../../frame/use-can-change-access.ts'
import { texts } from '../../texts.ts'
import { type AccessAction, AccessDialogs, accessMenuItems } from './access-actions.tsx'
import { canExtend, canRevoke, personLabel } from './access-labels.ts'
import { accessColumns } from './columns.tsx'
import { ACCESS_FILTERS } from './filters.ts'

export function AccessPage(): ReactNode {
  const { path } = useAppScope()
  const canChangeAccess = useCanChangeAccess()
  const now = useNow()
  const zone = useTimeZone()
  const columns = useMemo(() => accessColumns(now, zone), [now, zone])
  const [asked, ask] = useState<AccessAction>()
  useHashAction('grant', () => {
    if (canChangeAccess) ask({ what: 'grant' })
  })
  const bulk = (rows: readonly AccessItem[], clear: () => void) => (
    <Bulk rows={rows} ask={(what, chosen) => ask({ what, rows: chosen, onDone: clear })} />
  )
  return (
    <>
      <RecordListPage<AccessItem>
        title={texts.pages.access}
        lead={texts.access.lead}
        {...(canChangeAccess ? { action: <Actions onGrant={() => ask({ what: 'grant' })} /> } : {})}
        list="access"
        filters={ACCESS_FILTERS}
        searchFor={texts.access.searchFor}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={(row) => texts.access.of(personLabel(row), row.resource_name)}
        hrefOf={({ uid }) => path('people', uid)}
        menuOf={canChangeAccess ? (row) => accessMenuItems(row, ask) : undefined}
        bulk={canChangeAccess ? bulk : undefined}
        canExport={canChangeAccess}
        hasExactExport
        empty={<Nobody {...(canChangeAccess ? { onGrant: () => ask({ what: 'grant' }) } : {})} />}
        nothing={<NothingLive />}
      />
      <AccessDialogs asked={asked} onClose={() => ask(undefined)} />
    </>
  )
}

function Actions({ onGrant }: { onGrant: () => void }): ReactNode {
  const { path } = useAppScope()
  return (
    <>
      <Link to={path('access', 'import')} className={buttonClass()}>
        <Upload size={16} aria-hidden />
        {texts.access.import}
      </Link>
      <Button variant="primary" icon={KeyRound} onClick={onGrant}>
        {texts.access.grant}
      </Button>
    </>
  )
}

interface BulkProps {
  rows: readonly AccessItem[]
  ask: (what: 'extend' | 'revoke', rows: readonly AccessItem[]) => void
}

const BULK_ACTIONS = [
  { what: 'extend', icon: CalendarPlus, isPossible: canExtend },
  { what: 'revoke', icon: CircleSlash, isPossible: canRevoke },
] as const

function Bulk({ rows, ask }: BulkProps): ReactNode {
  return BULK_ACTIONS.map(({ what, icon, isPossible }) => {
    const chosen = rows.filter(isPossible)
    return (
      <Button
        key={what}
        icon={icon}
        disabled={chosen.length === 0}
        onClick={() => ask(what, chosen)}
      >
        {texts.access[what]}
      </Button>
    )
  })
}

function Nobody({ onGrant }: { onGrant?: () => void }): ReactNode {
  const state = useListState()
  return (
    <EmptyState
      icon={KeyRound}
      title={texts.access.noneTitle}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {onGrant && (
            <Button variant="primary" onClick={onGrant}>
              {texts.access.grant}
            </Button>
          )}
          <Button onClick={() => state.change({ state: 'unrevoked' })}>
            {texts.access.withExpired}
          </Button>
        </div>
      }
    >
      {texts.access.none}
    </EmptyState>
  )
}

/** Offers expired and revoked access: staff who search for a reader without live access must still find them. */
function NothingLive(): ReactNode {
  const state = useListState()
  if (state.search.state !== undefined) {
    return <EmptyState title={texts.list.nothingFound}>{texts.list.nothingFoundHint}</EmptyState>
  }
  return (
    <EmptyState
      title={texts.access.noneLive}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button onClick={() => state.change({ state: 'unrevoked' })}>
            {texts.access.withExpired}
          </Button>
          <Button onClick={() => state.change({ state: 'revoked' })}>
            {texts.access.withRevoked}
          </Button>
        </div>
      }
    >
      {texts.access.noneLiveHint}
    </EmptyState>
  )
}
