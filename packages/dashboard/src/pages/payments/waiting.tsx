import type { PaymentItem, RefundItem } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { Time } from '../../components/display/time.tsx'
import { texts } from '../../texts.ts'

type Order = Pick<PaymentItem | RefundItem, 'last_error' | 'next_attempt'>

/** Why a payment or refund still waits for the provider, and when it is tried again. */
export function Waiting({ order }: { order: Order }): ReactNode {
  const { last_error: why, next_attempt: next } = order
  if (why === null || next === null) return null
  return (
    <>
      <p>{why}</p>
      <p className="text-soft">
        {texts.payments.nextAttempt} <Time at={next * 1000} />
      </p>
    </>
  )
}
