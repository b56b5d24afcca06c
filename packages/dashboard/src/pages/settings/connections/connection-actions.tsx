import { OWNERS } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { send } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { Button } from '../../../components/button.tsx'
import type { DescriptionItem } from '../../../components/display/description-list.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { Time } from '../../../components/display/time.tsx'
import { toast } from '../../../components/overlays/toast.tsx'
import { useAction } from '../../../components/use-action.ts'
import { useHasRole } from '../../../frame/me.ts'
import { texts } from '../../../texts.ts'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { type ConnectionKind, connectionsPath, useConnections } from './use-connections.ts'

const words = texts.connections

interface Props<Tested> {
  kind: ConnectionKind
  canChange: boolean
  onReplace: () => void
  /** The effect of disconnecting, for the confirmation. */
  disconnectEffect: string
  /** Returns the message about a successful test. */
  describeTest: (tested: Tested) => string
}

/** Tests, replaces or removes a connection. */
export function ConnectionActions<Tested>(props: Props<Tested>): ReactNode {
  const { kind, canChange, onReplace, disconnectEffect, describeTest } = props
  const { environment } = useAppScope()
  const isOwner = useHasRole(OWNERS)
  const { refetch } = useConnections()
  const [isAsking, setAsking] = useState(false)
  const test = useAction(async () => {
    toast(describeTest(await send<Tested>('POST', connectionsPath(environment, kind, 'test'))))
    // The test may have found a problem, or the end of one.
    await refetch()
  })
  if (!isOwner) return null
  return (
    <>
      {test.problem !== undefined && <Notice tone="failed">{test.problem}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button busy={test.busy} onClick={test.run}>
          {words[kind].test}
        </Button>
        {canChange && <Button onClick={onReplace}>{words.replace}</Button>}
        {canChange && (
          <Button variant="quiet" onClick={() => setAsking(true)}>
            {words.disconnect}
          </Button>
        )}
      </div>
      <DisconnectDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        kind={kind}
        effect={disconnectEffect}
      />
    </>
  )
}

interface Connection {
  connected: number | null
  connected_by: string | null
  source: string
}

/** The time of the connection, and the person who made it. */
export const connectionFacts = (connection: Connection): (DescriptionItem | false)[] => [
  connection.connected !== null && {
    label: words.since,
    value: (
      <>
        <Time at={connection.connected} now={null} />{' '}
        {words.connectedBy(connection.connected_by ?? '')}
      </>
    ),
  },
  connection.source === 'operator' && { label: words.tabsLabel, value: words.byOperator },
]
