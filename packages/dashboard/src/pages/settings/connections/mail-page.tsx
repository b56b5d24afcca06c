import type { ConnectionsView, MailTested } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { Card } from '../../../components/display/card.tsx'
import { DescriptionList } from '../../../components/display/description-list.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { StateBadge } from '../../../components/display/state-badge.tsx'
import { texts } from '../../../texts.ts'
import { ConnectionActions, connectionFacts } from './connection-actions.tsx'
import { ConnectionPage } from './connection-page.tsx'
import { DnsCard } from './dns-card.tsx'
import { MailServerForm } from './mail-server-form.tsx'

const words = texts.connections

export function MailSettingsPage(): ReactNode {
  return (
    <ConnectionPage kind="mail">
      {(view, canChange) => (
        <>
          <ServerCard view={view} canChange={canChange} />
          <DnsCard mail={view.mail} />
        </>
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
          <ConnectionActions<MailTested>
            kind="mail"
            canChange={canChange}
            onReplace={() => setChanging(true)}
            disconnectEffect={words.mail.disconnectEffect}
            describeTest={describeTest}
          />
        </>
      )}
      {canChange && (!isConnected || isChanging) && (
        <MailServerForm
          mail={view.mail}
          onCancel={isConnected ? () => setChanging(false) : undefined}
          onDone={() => setChanging(false)}
        />
      )}
      {!isConnected && <p className="text-soft">{words.mail.keptStay}</p>}
    </Card>
  )
}

function describeTest({ sent_to, connections }: MailTested): string {
  const sent = words.mail.sentTo(sent_to)
  if (connections === null || connections.taken === connections.wanted) return sent
  return `${sent} ${words.mail.fewConnections(connections.taken, connections.wanted)}`
}

function Facts({ view: { mail } }: { view: ConnectionsView }): ReactNode {
  const { host, port, security, user, sender } = mail
  const { mail: own } = words
  return (
    <DescriptionList
      facts={[
        host !== null && { label: own.host.label, value: host },
        port !== null && { label: own.port, value: port },
        security !== null && { label: own.security, value: own.securities[security] },
        user !== null && { label: own.user, value: user },
        { label: own.sender.label, value: sender },
        ...connectionFacts(mail),
      ]}
    />
  )
}
