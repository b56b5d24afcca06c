import {
  formatMajor,
  type Money,
  type PaymentItem,
  parseMajor,
  type RefundItem,
} from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { send } from '../../api.ts'
import { type AppScope, useAppScope } from '../../app-scope.ts'
import { Notice } from '../../components/display/notice.tsx'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { Field } from '../../components/forms/field.tsx'
import { TextInput } from '../../components/forms/text-input.tsx'
import { required, useForm } from '../../components/forms/use-form.ts'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { refetchApplication } from '../../components/refetch-application.ts'
import { formatDay, formatMoney } from '../../format.ts'
import { texts } from '../../texts.ts'
import { useSendsEmail } from '../mail/resend.tsx'
import { payerLabel, refundableAmount } from './labels.tsx'

interface Props {
  /** Undefined closes the dialog. */
  payment: PaymentItem | undefined
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
      title={texts.payments.refundTitle(payerLabel(payment))}
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

async function refund(scope: AppScope, payment: PaymentItem, amount: number, reference: string) {
  const path = scope.path('payments', payment.id, 'refund')
  const { status, money } = await send<RefundItem>('POST', path, { amount, reference })
  await refetchApplication(scope)
  const sum = formatMoney(money)
  if (status === 'succeeded') toast(texts.payments.refundDone(sum, payerLabel(payment)))
  else if (status === 'pending') toast(texts.payments.refundPending(sum))
  else toast(texts.payments.refundFailed(sum), { failed: true })
}

function RefundForm({
  payment,
  onClose,
}: {
  payment: PaymentItem
  onClose: () => void
}): ReactNode {
  const scope = useAppScope()
  const words = texts.payments
  const left = refundableAmount(payment)
  // An idempotency key: a repeated request after a lost response is still one refund.
  const [reference] = useState(() => `dashboard ${crypto.randomUUID()}`)
  const form = useForm(
    { amount: formatMajor(left.amount, left.currency) },
    {
      check: ({ amount }) => {
        const read = readAmount(amount, left)
        return typeof read === 'string' ? { amount: read } : {}
      },
      send: async ({ amount }) => {
        await refund(scope, payment, readAmount(amount, left) as number, reference)
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
      variant="danger"
      summary={
        typeof amount === 'number' && <Effect payment={payment} left={left} amount={amount} />
      }
    >
      <Field
        label={words.refundAmount(left.currency)}
        hint={words.refundHint(formatMoney(left))}
        // Shows the error while typing, before the field is left.
        error={form.errorOf('amount') ?? (typeof amount === 'string' ? amount : undefined)}
      >
        <TextInput inputMode="decimal" autoComplete="off" {...form.bind('amount')} />
      </Field>
    </DialogForm>
  )
}

interface EffectProps {
  payment: PaymentItem
  left: Money
  amount: number
}

function Effect({ payment, left, amount }: EffectProps): ReactNode {
  const sum = formatMoney({ ...left, amount })
  const stays = formatMoney({ ...left, amount: left.amount - amount })
  const who = payerLabel(payment)
  const sendsEmail = useSendsEmail() && payment.email !== ''
  return (
    <Notice tone="ending">
      <p>
        {amount === left.amount
          ? texts.payments.wholeEffect(sum, who)
          : texts.payments.partEffect(sum, stays, who)}
      </p>
      {sendsEmail && <p>{texts.payments.refundMail(who)}</p>}
    </Notice>
  )
}
