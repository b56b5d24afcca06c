import { type ConnectionsView, OWNERS } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { useAppScope } from '../../../app-scope.ts'
import { Notice } from '../../../components/display/notice.tsx'
import { Skeleton } from '../../../components/display/skeleton.tsx'
import { errorMessage } from '../../../components/forms/use-form.ts'
import { useHasRole } from '../../../frame/me.ts'
import { texts } from '../../../texts.ts'
import { SettingsFrame } from '../settings-frame.tsx'
import { useConnections } from './use-connections.ts'

interface Props {
  kind: 'payments' | 'mail'
  children: (view: ConnectionsView, canChange: boolean) => ReactNode
}

/** What the pages of payments and mail share: the state is loaded, and it is said who may change it. */
export function ConnectionPage({ kind, children }: Props): ReactNode {
  const { data, error } = useConnections()
  const { environment } = useAppScope()
  const isOwner = useHasRole(OWNERS)
  const { environment: names, shared, byOperatorHint, detached, ownersOnly } = texts.connections
  const isOperators = data?.[kind].source === 'operator'
  return (
    <SettingsFrame
      current={kind}
      lead={`${texts.connections[kind].lead} ${shared(names[environment])}`}
    >
      {error && <Notice tone="failed">{errorMessage(error)}</Notice>}
      {!data && !error && <Skeleton lines={6} />}
      {data?.is_detached && <Notice tone="ending">{detached}</Notice>}
      {isOperators && <Notice>{byOperatorHint}</Notice>}
      {data && !isOwner && !isOperators && <Notice>{ownersOnly}</Notice>}
      {data && children(data, isOwner && !isOperators && !data.is_detached)}
    </SettingsFrame>
  )
}
