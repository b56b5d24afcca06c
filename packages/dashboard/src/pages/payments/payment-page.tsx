import { type PaymentDetails, SUPPORT } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/display/card.tsx'
import { Copyable } from '../../components/display/copyable.tsx'
import { DescriptionList } from '../../components/display/description-list.tsx'
import { Money } from '../../components/display/money.tsx'
import { Notice } from '../../components/display/notice.tsx'
import { linkClass, PersonOfRecord, ResourceLink } from '../../components/display/record-links.tsx'
import { type RecordProps, recordPage } from '../../components/display/record-page.tsx'
import { Time } from '../../components/display/time.tsx'
import { formatMoney } from '../../format.ts'
import { useHasRole, useNow, useTimeZone } from '../../frame/me.ts'
import { Page } from '../../frame/page.tsx'
import { texts } from '../../texts.ts'
import { formatDayIn } from '../access/end-choice.ts'
import { failureOf, PaymentBadge, payerLabel } from './labels.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { Refunds } from './refunds.tsx'
import { Waiting } from './waiting.tsx'

export const PaymentPage = recordPage('payments', PaymentView)

function PaymentView({ record: payment }: RecordProps<PaymentDetails>): ReactNode {
  const { path } = useAppScope()
  const canRefund = useHasRole(SUPPORT) && payment.refundable.amount > 0
  const [refunding, setRefunding] = useState(false)
  return (
    <Page
      title={texts.payments.title(formatMoney(payment.money))}
      beside={<PaymentBadge state={payment.status} />}
      lead={<PersonOfRecord {...payment} label={payerLabel(payment)} />}
      back={{ to: path('payments'), label: texts.pages.payments }}
      action={
        canRefund && <Button onClick={() => setRefunding(true)}>{texts.payments.refund}</Button>
      }
    >
      <Remarks payment={payment} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Card title={texts.find.kinds.payment}>
          <PaymentFacts payment={payment} />
        </Card>
        <Card title={texts.payments.refunds}>
          <Refunds refunds={payment.refunds} />
        </Card>
      </div>
      <RefundDialog payment={refunding ? payment : undefined} onClose={() => setRefunding(false)} />
    </Page>
  )
}

/** Reasons for staff to look at this payment, if any. */
function Remarks({ payment }: { payment: PaymentDetails }): ReactNode {
  const { status, flag, disputed, lost, refundable_in_dispute } = payment
  const words = texts.payments
  return (
    <>
      {status === 'failed' && <Notice tone="failed">{failureOf(payment)}</Notice>}
      {status === 'disputed' && (
        <Notice tone="failed">
          {(refundable_in_dispute ? words.inquiry : words.disputed)(formatMoney(disputed))}
        </Notice>
      )}
      {status === 'lost' && <Notice tone="failed">{words.lost}</Notice>}
      {status !== 'lost' && lost.amount > 0 && (
        <Notice tone="failed">{words.partlyLost(formatMoney(lost))}</Notice>
      )}
      {status === 'pending' && (
        <Notice>
          <p>{words.pending}</p>
          <Waiting order={payment} />
        </Notice>
      )}
      {flag !== null && (
        <Notice tone="ending">
          <strong className="font-medium">{words.flags[flag]}.</strong> {words.flagHints[flag]}
        </Notice>
      )}
    </>
  )
}

function PaymentFacts({ payment }: { payment: PaymentDetails }): ReactNode {
  const { path } = useAppScope()
  const now = useNow()
  const zone = useTimeZone()
  const words = texts.payments
  const {
    settled,
    period_start: from,
    period_end: to,
    subscription_id,
    provider,
    provider_ref,
  } = payment
  return (
    <DescriptionList
      facts={[
        {
          label: texts.records.resource,
          value: <ResourceLink rid={payment.rid}>{payment.resource}</ResourceLink>,
        },
        { label: words.amount, value: <Money value={payment.money} /> },
        payment.refunded.amount > 0 && {
          label: words.refunded,
          value: <Money value={payment.refunded} />,
        },
        payment.lost.amount > 0 && {
          label: words.lostAmount,
          value: <Money value={payment.lost} />,
        },
        { label: words.left, value: <Money value={payment.refundable} /> },
        { label: words.when, value: <Time at={payment.created * 1000} now={now} /> },
        settled !== null && { label: words.settled, value: <Time at={settled * 1000} now={now} /> },
        from !== null &&
          to !== null && {
            label: words.period,
            value: texts.subscriptions.span(formatDayIn(zone, from), formatDayIn(zone, to)),
          },
        {
          label: words.subscription,
          value:
            subscription_id === null ? (
              words.once
            ) : (
              <Link to={path('subscriptions', subscription_id)} className={linkClass}>
                {words.openSubscription}
              </Link>
            ),
        },
        { label: texts.records.paidBy, value: texts.records.providers[provider] ?? provider },
      ]}
      ids={[
        provider_ref !== null && {
          label: words.providerRef,
          value: <Copyable value={provider_ref} label={words.providerRef} />,
        },
        {
          label: texts.records.id,
          value: <Copyable value={payment.id} label={texts.records.id} />,
        },
      ]}
    />
  )
}
