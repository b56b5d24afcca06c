import { type ConnectionsView, OWNERS, type PaymentsTested } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { Card } from '../../../components/display/card.tsx'
import { DescriptionList } from '../../../components/display/description-list.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { StateBadge } from '../../../components/display/state-badge.tsx'
import { useHasRole } from '../../../frame/me.ts'
import { texts } from '../../../texts.ts'
import { ConnectionActions, connectionFacts } from './connection-actions.tsx'
import { ConnectionPage } from './connection-page.tsx'
import { LinkCard } from './link-card.tsx'
import { StripeForm } from './stripe-form.tsx'
import { WebhookCard } from './webhook-card.tsx'

const words = texts.connections

export function PaymentsSettingsPage(): ReactNode {
  // The operator's keys have no setting for Link, so owners choose it also then.
  const isOwner = useHasRole(OWNERS)
  return (
    <ConnectionPage kind="payments">
      {(view, canChange) => (
        <>
          <StripeCard view={view} canChange={canChange} />
          {view.payments.provider === 'stripe' && <WebhookCard view={view} canChange={canChange} />}
          {view.payments.provider === 'stripe' && (
            <LinkCard
              isOffered={view.payments.offers_link}
              canChange={isOwner && !view.is_detached}
            />
          )}
        </>
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
      {payments.problems.map(({ text }) => (
        <Notice key={text} tone="ending">
          {text}
        </Notice>
      ))}
      {isConnected && <Facts view={view} />}
      {isConnected && !isReplacing && (
        <ConnectionActions<PaymentsTested>
          kind="payments"
          canChange={canChange}
          onReplace={() => setReplacing(true)}
          disconnectEffect={words.payments.disconnectEffect[payments.mode]}
          describeTest={({ account }) =>
            words.payments.tested(account && (account.name ?? account.id))
          }
        />
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
  const { account, source, mode, key_ending } = payments
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
        ...connectionFacts(payments),
      ]}
    />
  )
}
