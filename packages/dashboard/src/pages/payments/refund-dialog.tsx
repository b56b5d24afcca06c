import { type ReactNode, useState } from 'react'
import { parseMajor, writeMajor } from '../../../../server/src/domain/apps/currency.ts'
import type {
  ShownPayment,
  ShownRefund,
} from '../../../../server/src/http/dashboard/payments/schemas.ts'
import type { Money } from '../../../../server/src/http/dashboard/schemas.ts'
import { send } from '../../api.ts'
import { formatDay, formatMoney } from '../../format.ts'
import { Notice } from '../../parts/display/notice.tsx'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { Field } from '../../parts/forms/field.tsx'
import { TextInput } from '../../parts/forms/text-input.tsx'
import { required, useForm } from '../../parts/forms/use-form.ts'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { toast } from '../../parts/overlays/toast.tsx'
import { refresh } from '../../parts/refresh.ts'
import { type Place, usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { leftOf, payerOf } from './states.tsx'

interface Props {
  /** Undefined closes the dialog. */
  payment: ShownPayment | undefined
  onClose: () => void
}

/** Refunds all that is left of a payment, or part of it. */
export function RefundDialog({ payment, onClose }: Props): ReactNode {
  if (payment === undefined) return null
  const { resource, created } = payment
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.payments.refundTitle(payerOf(payment))}
      lead={texts.payments.refundLead(resource, formatDay(created * 1000))}
    >
      <RefundForm payment={payment} onClose={onClose} />
    </Dialog>
  )
}

/** The amount in minor units, or an error text. */
function readAmount(text: string, left: Money): number | string {
  const empty = required(text)
  if (empty !== undefined) return empty
  const amount = parseMajor(text.trim().replace(',', '.'), left.currency)
  if (amount === undefined || amount < 1) return texts.payments.notAnAmount
  return amount > left.amount ? texts.payments.tooMuch(formatMoney(left)) : amount
}

async function refund(place: Place, payment: ShownPayment, amount: number, reference: string) {
  const path = place.path('payments', payment.id, 'refund')
  const { status, money } = await send<ShownRefund>('POST', path, { amount, reference })
  await refresh(place)
  const sum = formatMoney(money)
  if (status === 'succeeded') toast(texts.payments.refundDone(sum, payerOf(payment)))
  else if (status === 'pending') toast(texts.payments.refundPending(sum))
  else toast(texts.payments.refundFailed(sum), { failed: true })
}

function RefundForm({
  payment,
  onClose,
}: {
  payment: ShownPayment
  onClose: () => void
}): ReactNode {
  const place = usePlace()
  const words = texts.payments
  const left = leftOf(payment)
  // An idempotency key: a repeated request after a lost response is still one refund.
  const [reference] = useState(() => `dashboard ${crypto.randomUUID()}`)
  const form = useForm(
    { amount: writeMajor(left.amount, left.currency) },
    {
      check: ({ amount }) => {
        const read = readAmount(amount, left)
        return typeof read === 'string' ? { amount: read } : {}
      },
      send: async ({ amount }) => {
        await refund(place, payment, readAmount(amount, left) as number, reference)
        onClose()
      },
    },
  )
  const amount = readAmount(form.values.amount, left)
  return (
    <DialogForm
      form={form}
      onClose={onClose}
      action={
        typeof amount === 'number' ? words.refundGo(formatMoney({ ...left, amount })) : words.refund
      }
      look="danger"
    >
      <Field
        label={words.refundAmount(left.currency)}
        hint={words.refundHint(formatMoney(left))}
        // Shows the error while typing, before the field is left.
        error={form.errorOf('amount') ?? (typeof amount === 'string' ? amount : undefined)}
      >
        <TextInput inputMode="decimal" autoComplete="off" {...form.bind('amount')} />
      </Field>
      {typeof amount === 'number' && <Effect payment={payment} left={left} amount={amount} />}
    </DialogForm>
  )
}

interface EffectProps {
  payment: ShownPayment
  left: Money
  amount: number
}

function Effect({ payment, left, amount }: EffectProps): ReactNode {
  const sum = formatMoney({ ...left, amount })
  const stays = formatMoney({ ...left, amount: left.amount - amount })
  const who = payerOf(payment)
  return (
    <Notice tone="ending">
      {amount === left.amount
        ? texts.payments.wholeEffect(sum, who)
        : texts.payments.partEffect(sum, stays, who)}
    </Notice>
  )
}
