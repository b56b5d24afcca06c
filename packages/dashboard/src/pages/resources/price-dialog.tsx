import type { PriceItem, ResourceDetails } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { Field } from '../../components/forms/field.tsx'
import { Select } from '../../components/forms/select.tsx'
import { TextInput } from '../../components/forms/text-input.tsx'
import { type Form, useForm } from '../../components/forms/use-form.ts'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { refetchApplication } from '../../components/refetch-application.ts'
import { useApplication } from '../../frame/me.ts'
import { ridToSegment } from '../../resource-path.ts'
import { texts } from '../../texts.ts'
import {
  describePrice,
  isValidPrice,
  type PriceFormValues,
  toApiPrice,
  validatePrice,
} from './price-terms.ts'

interface Props {
  open: boolean
  onClose: () => void
  resource: ResourceDetails
}

export function PriceDialog({ open, onClose, resource }: Props): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title={texts.resources.addPriceTitle(resource.name)}>
      <PriceForm onClose={onClose} resource={resource} />
    </Dialog>
  )
}

const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))
const KINDS = optionsOf(texts.resources.kinds)
const UNITS = optionsOf(texts.resources.units)

function PriceForm({ onClose, resource }: Omit<Props, 'open'>): ReactNode {
  const scope = useAppScope()
  const currency = useApplication()?.currency ?? ''
  const form = useForm<PriceFormValues>(
    { amount: '', currency, kind: 'recurring', count: '1', unit: 'month', trial_days: '0' },
    {
      check: validatePrice,
      send: async (typed) => {
        const path = scope.path('resources', ridToSegment(resource.rid), 'prices')
        const { terms } = await send<PriceItem>('POST', path, toApiPrice(typed))
        await refetchApplication(scope)
        toast(texts.resources.priceAdded(terms))
        onClose()
      },
    },
  )
  return (
    <DialogForm form={form} onClose={onClose} action={texts.resources.addPrice}>
      <div className="grid grid-cols-[minmax(0,1fr)_6rem] items-start gap-3">
        <Field label={texts.resources.amount} error={form.errorOf('amount')}>
          <TextInput inputMode="decimal" autoComplete="off" {...form.bind('amount')} />
        </Field>
        <Field label={texts.resources.currency} error={form.errorOf('currency')}>
          <TextInput autoComplete="off" maxLength={3} {...form.bind('currency')} />
        </Field>
      </div>
      <Field label={texts.resources.kind}>
        <Select options={KINDS} {...form.bind('kind')} />
      </Field>
      <TimeFields form={form} />
      {isValidPrice(form.values) && <p aria-live="polite">{describePrice(form.values)}</p>}
    </DialogForm>
  )
}

function TimeFields({ form }: { form: Form<PriceFormValues> }): ReactNode {
  const { kind } = form.values
  if (kind === 'once') return null
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_8rem] items-start gap-3">
        <Field
          label={kind === 'recurring' ? texts.resources.every : texts.resources.lasts}
          error={form.errorOf('count')}
        >
          <TextInput inputMode="numeric" autoComplete="off" {...form.bind('count')} />
        </Field>
        <Field label={texts.resources.unit}>
          <Select options={UNITS} {...form.bind('unit')} />
        </Field>
      </div>
      {kind === 'recurring' && (
        <Field
          label={texts.resources.trial}
          hint={texts.resources.trialHint}
          error={form.errorOf('trial_days')}
        >
          <TextInput inputMode="numeric" autoComplete="off" {...form.bind('trial_days')} />
        </Field>
      )}
    </>
  )
}
