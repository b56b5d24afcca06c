import { type ConnectionsView, OWNERS, type PaymentsTested } from '@gatehouse/server/dashboard-api'
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
import { StripeForm } from './stripe-form.tsx'
import { connectionsPath, useAfterChange } from './use-connections.ts'
import { WebhookCard } from './webhook-card.tsx'

const words = texts.connections

export function PaymentsSettingsPage(): ReactNode {
  return (
    <ConnectionPage kind="payments">
      {(view, canChange) => (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <StripeCard view={view} canChange={canChange} />
          {view.payments.provider === 'stripe' && <WebhookCard view={view} canChange={canChange} />}
        </div>
      )}
    </ConnectionPage>
  )
}

interface Props {
  view: ConnectionsView
  canChange: boolean
}

function StripeCard({ view, canChange }: Props): ReactNode {
  const { payments } = view
  const [isReplacing, setReplacing] = useState(false)
  const isConnected = payments.provider === 'stripe'
  return (
    <Card title={words.payments.title} action={<Badge provider={payments.provider} />}>
      {!isConnected && (
        <Notice tone={payments.provider === 'none' ? 'ending' : 'plain'}>
          {payments.provider === 'none' ? words.payments.none : words.payments.cards}
        </Notice>
      )}
      {isConnected && <Facts view={view} />}
      {isConnected && !isReplacing && (
        <Actions view={view} canChange={canChange} onReplace={() => setReplacing(true)} />
      )}
      {canChange && (!isConnected || isReplacing) && (
        <StripeForm
          mode={payments.mode}
          isReplacing={isReplacing}
          onDone={() => setReplacing(false)}
        />
      )}
    </Card>
  )
}

function Badge({ provider }: { provider: 'stripe' | 'test_cards' | 'none' }): ReactNode {
  if (provider === 'stripe') return <StateBadge state="live">{words.connected}</StateBadge>
  if (provider === 'test_cards') return <StateBadge state="ended">{words.testCards}</StateBadge>
  return <StateBadge state="ending">{words.notConnected}</StateBadge>
}

function Facts({ view: { payments } }: { view: ConnectionsView }): ReactNode {
  const { account, source, mode, key_ending, connected, connected_by } = payments
  const { payments: own } = words
  return (
    <DescriptionList
      facts={[
        source === 'staff' && {
          label: own.account,
          value: account === null ? own.unnamed : (account.name ?? account.id),
        },
        { label: own.mode, value: own.modes[mode] },
        key_ending !== null && { label: own.key, value: own.keyEnding(key_ending) },
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

function Actions({ view, canChange, onReplace }: Props & { onReplace: () => void }): ReactNode {
  const { environment } = useAppScope()
  const isOwner = useHasRole(OWNERS)
  const afterChange = useAfterChange()
  const [isAsking, setAsking] = useState(false)
  const test = useAction(async () => {
    const path = connectionsPath(environment, 'payments', 'test')
    const { account } = await send<PaymentsTested>('POST', path)
    toast(words.payments.tested(account === null ? null : (account.name ?? account.id)))
  })
  if (!isOwner) return null
  return (
    <>
      {test.problem !== undefined && <Notice tone="failed">{test.problem}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button busy={test.busy} onClick={test.run}>
          {words.payments.test}
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
        kind="payments"
        title={words.payments.disconnectTitle}
        effect={words.payments.disconnectEffect[view.payments.mode]}
        onDone={async (changed) => {
          await afterChange(changed)
          toast(words.payments.disconnected)
        }}
      />
    </>
  )
}
