import { type ConnectionsView, type MailTested, OWNERS } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { send } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/display/card.tsx'
import { DescriptionList } from '../../../components/display/description-list.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { StateBadge } from '../../../components/display/state-badge.tsx'
import { Time } from '../../../components/display/time.tsx'
import { toast } from '../../../components/overlays/toast.tsx'
import { useAction } from '../../../components/use-action.ts'
import { useHasRole } from '../../../frame/me.ts'
import { texts } from '../../../texts.ts'
import { ConnectionPage } from './connection-page.tsx'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { DnsCard } from './dns-card.tsx'
import { MailServerForm } from './mail-server-form.tsx'
import { connectionsPath, useAfterChange } from './use-connections.ts'

const words = texts.connections

export function MailSettingsPage(): ReactNode {
  return (
    <ConnectionPage kind="mail">
      {(view, canChange) => (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <ServerCard view={view} canChange={canChange} />
          <DnsCard mail={view.mail} />
        </div>
      )}
    </ConnectionPage>
  )
}

interface Props {
  view: ConnectionsView
  canChange: boolean
}

function ServerCard({ view, canChange }: Props): ReactNode {
  const [isChanging, setChanging] = useState(false)
  const isConnected = view.mail.source !== 'none'
  const badge = isConnected ? (
    <StateBadge state="live">{words.connected}</StateBadge>
  ) : (
    <StateBadge state="ending">{words.notConnected}</StateBadge>
  )
  return (
    <Card title={words.mail.title} action={badge}>
      {!isConnected && <Notice tone="ending">{words.mail.none}</Notice>}
      {isConnected && !isChanging && (
        <>
          <Facts view={view} />
          <Actions canChange={canChange} onChange={() => setChanging(true)} />
        </>
      )}
      {canChange && (!isConnected || isChanging) && (
        <MailServerForm
          mail={view.mail}
          {...(isConnected ? { onCancel: () => setChanging(false) } : {})}
          onDone={() => setChanging(false)}
        />
      )}
      {!isConnected && <p className="text-soft">{words.mail.keptStay}</p>}
    </Card>
  )
}

function Facts({ view: { mail } }: { view: ConnectionsView }): ReactNode {
  const { host, port, security, user, sender, connected, connected_by, source } = mail
  const { mail: own } = words
  return (
    <DescriptionList
      facts={[
        host !== null && { label: own.host, value: host },
        port !== null && { label: own.port, value: port },
        security !== null && { label: own.security, value: own.securities[security] },
        user !== null && { label: own.user, value: user },
        { label: own.sender, value: sender },
        connected !== null && {
          label: words.since,
          value: (
            <>
              <Time at={connected} now={null} /> {words.connectedBy(connected_by ?? '')}
            </>
          ),
        },
        source === 'operator' && { label: words.tabsLabel, value: words.byOperator },
      ]}
    />
  )
}

interface ActionProps {
  canChange: boolean
  onChange: () => void
}

function Actions({ canChange, onChange }: ActionProps): ReactNode {
  const { environment } = useAppScope()
  const isOwner = useHasRole(OWNERS)
  const afterChange = useAfterChange()
  const [isAsking, setAsking] = useState(false)
  const test = useAction(async () => {
    const path = connectionsPath(environment, 'mail', 'test')
    toast(words.mail.sentTo((await send<MailTested>('POST', path)).sent_to))
  })
  if (!isOwner) return null
  return (
    <>
      {test.problem !== undefined && <Notice tone="failed">{test.problem}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button busy={test.busy} onClick={test.run}>
          {words.mail.test}
        </Button>
        {canChange && <Button onClick={onChange}>{words.replace}</Button>}
        {canChange && (
          <Button variant="quiet" onClick={() => setAsking(true)}>
            {words.disconnect}
          </Button>
        )}
      </div>
      <DisconnectDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        kind="mail"
        title={words.mail.disconnectTitle}
        effect={words.mail.disconnectEffect}
        onDone={async (changed) => {
          await afterChange(changed)
          toast(words.mail.disconnected)
        }}
      />
    </>
  )
}
