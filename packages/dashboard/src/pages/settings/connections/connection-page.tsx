import { type ConnectionsView, OWNERS } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { useAppScope } from '../../../app-scope.ts'
import { Notice } from '../../../components/display/notice.tsx'
import { QueryContent } from '../../../components/display/query-content.tsx'
import { useHasRole } from '../../../frame/me.ts'
import { texts } from '../../../texts.ts'
import { SettingsFrame } from '../settings-frame.tsx'
import { type ConnectionKind, useConnections } from './use-connections.ts'

interface Props {
  kind: ConnectionKind
  /** The cards of the page. */
  children: (view: ConnectionsView, canChange: boolean) => ReactNode
}

/** The common part of the pages for payments and mail: it loads the state, and says who may change it. */
export function ConnectionPage({ kind, children }: Props): ReactNode {
  const query = useConnections()
  const { environment } = useAppScope()
  const isOwner = useHasRole(OWNERS)
  const { environment: names, shared, byOperatorHint, detached, ownersOnly } = texts.connections
  const isOperators = query.data?.[kind].source === 'operator'
  return (
    <SettingsFrame
      current={kind}
      lead={`${texts.connections[kind].lead} ${shared(names[environment])}`}
    >
      <QueryContent query={query} lines={6}>
        {(view) => (
          <>
            {view.is_detached && <Notice tone="ending">{detached}</Notice>}
            {isOperators && <Notice>{byOperatorHint}</Notice>}
            {!isOwner && !isOperators && <Notice>{ownersOnly}</Notice>}
            <div className="grid items-start gap-4 lg:grid-cols-2">
              {children(view, isOwner && !isOperators && !view.is_detached)}
            </div>
          </>
        )}
      </QueryContent>
    </SettingsFrame>
  )
}
