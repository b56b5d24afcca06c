import { SUPPORT, type SubscriptionDetails } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/display/card.tsx'
import { Copyable } from '../../components/display/copyable.tsx'
import { DescriptionList } from '../../components/display/description-list.tsx'
import { Notice } from '../../components/display/notice.tsx'
import { PersonOfRecord, ResourceLink } from '../../components/display/record-links.tsx'
import { type RecordProps, recordPage } from '../../components/display/record-page.tsx'
import { Time } from '../../components/display/time.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { toastOnError } from '../../components/overlays/toast-on-error.ts'
import { useHasRole, useNow, useTimeZone } from '../../frame/me.ts'
import { Page } from '../../frame/page.tsx'
import { texts } from '../../texts.ts'
import { formatDayIn } from '../access/end-choice.ts'
import { PAYMENT_COLUMNS } from '../payments/columns.tsx'
import { failureOf } from '../payments/labels.tsx'
import { AccountLinkButton } from './account-link.tsx'
import {
  CancelSubscriptionDialog,
  canCancel,
  canResume,
  resumeSubscription,
} from './change-subscription.tsx'
import { describeNextEvent, describePrice, SubscriptionBadge, subscriberLabel } from './labels.tsx'

export const SubscriptionPage = recordPage('subscriptions', SubscriptionView)

function SubscriptionView({ record: one }: RecordProps<SubscriptionDetails>): ReactNode {
  const scope = useAppScope()
  const canChange = useHasRole(SUPPORT)
  const zone = useTimeZone()
  const [canceling, setCanceling] = useState(false)
  const words = texts.subscriptions
  const actions = (
    <>
      <AccountLinkButton subscription={one} />
      {canCancel(one) && <Button onClick={() => setCanceling(true)}>{words.cancelIt}</Button>}
      {canResume(one) && (
        <Button variant="primary" onClick={() => toastOnError(resumeSubscription(scope, one))}>
          {words.resume}
        </Button>
      )}
    </>
  )
  return (
    <Page
      title={one.resource}
      beside={<SubscriptionBadge state={one.status} />}
      lead={<PersonOfRecord {...one} label={subscriberLabel(one)} />}
      back={{ to: scope.path('subscriptions'), label: texts.pages.subscriptions }}
      action={canChange && actions}
    >
      <Notice
        tone={one.status === 'past_due' ? 'failed' : one.status === 'canceled' ? 'ending' : 'plain'}
      >
        <p>{describeNextEvent(one, zone)}</p>
        {one.status === 'past_due' && <WhyUnpaid one={one} />}
      </Notice>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Card title={texts.find.kinds.subscription}>
          <SubscriptionFacts one={one} />
        </Card>
        <Card title={words.payments}>
          <Payments one={one} />
        </Card>
      </div>
      <CancelSubscriptionDialog
        subscription={canceling ? one : undefined}
        onClose={() => setCanceling(false)}
      />
    </Page>
  )
}

/** Why the last charge failed, and what staff can do about it. */
function WhyUnpaid({ one: { payments } }: { one: SubscriptionDetails }): ReactNode {
  const [last] = payments
  return (
    <p className="mt-1">
      {last && failureOf(last)} {texts.subscriptions.otherCard}
    </p>
  )
}

function SubscriptionFacts({ one }: { one: SubscriptionDetails }): ReactNode {
  const now = useNow()
  const zone = useTimeZone()
  const words = texts.subscriptions
  const { created, trial_ends, canceled, ended, provider } = one
  const span = words.span(
    formatDayIn(zone, one.current_period_start),
    formatDayIn(zone, one.current_period_end),
  )
  const when = (label: string, at: number | null) =>
    at !== null && { label, value: <Time at={at * 1000} now={now} /> }
  return (
    <DescriptionList
      facts={[
        {
          label: texts.records.resource,
          value: <ResourceLink rid={one.rid}>{one.resource}</ResourceLink>,
        },
        { label: words.price, value: describePrice(one) },
        { label: words.period, value: span },
        when(words.started, created),
        when(words.trialEnds, trial_ends),
        when(words.canceledOn, canceled),
        when(words.endedOn, ended),
        { label: words.card, value: one.has_card ? words.hasCard : words.noCard },
        { label: texts.records.paidBy, value: texts.records.providers[provider] ?? provider },
      ]}
      ids={[
        { label: texts.records.reference, value: one.user_ref },
        { label: texts.records.id, value: <Copyable value={one.id} label={texts.records.id} /> },
        { label: words.access, value: <Copyable value={one.access_id} label={words.access} /> },
      ]}
    />
  )
}

function Payments({ one }: { one: SubscriptionDetails }): ReactNode {
  const { path } = useAppScope()
  if (one.payments.length === 0)
    return <p className="text-soft">{texts.subscriptions.noPayments}</p>
  return (
    <div className="-mx-3">
      <ListTable
        caption={texts.subscriptions.payments}
        rows={one.payments}
        columns={PAYMENT_COLUMNS}
        keyOf={({ id }) => id}
        nameOf={({ id }) => id}
        hrefOf={({ id }) => path('payments', id)}
      />
    </div>
  )
}
