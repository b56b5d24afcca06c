import type { PersonDetails } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Notice } from '../../components/display/notice.tsx'
import { formatDay, formatMoney } from '../../format.ts'
import { useNow } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { findNeedless, type NeedlessPurchase } from './paid-twice.ts'

/** Tells staff of money that bought nothing, which they may want to refund. */
export function PaidTwiceNotice({ details }: { details: PersonDetails }): ReactNode {
  const now = Math.floor(useNow() / 1000)
  const needless = findNeedless(details.access, now)
  if (needless.length === 0) return null
  return (
    <Notice tone="ending">
      <ul className="grid gap-1">
        {needless.map((one) => (
          <li key={one.source.id}>
            <Needless one={one} />
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function Needless({ one: { resource, source } }: { one: NeedlessPurchase }): ReactNode {
  const { path } = useAppScope()
  const { payment, subscription, created } = source
  const day = formatDay(created * 1000)
  const { twice } = texts.people
  if (payment !== null) {
    return (
      <>
        {twice.payment(resource, formatMoney(payment.amount), day)}{' '}
        <Link to={path('payments', payment.id)} className="font-medium underline">
          {texts.overview.openPayment}
        </Link>
      </>
    )
  }
  return (
    <>
      {twice.subscription(resource, day)}{' '}
      {subscription !== null && (
        <Link to={path('subscriptions', subscription.id)} className="font-medium underline">
          {texts.payments.openSubscription}
        </Link>
      )}
    </>
  )
}
