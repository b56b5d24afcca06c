import type { PriceItem, ResourceDetails } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { formDialog } from '../../components/forms/form-dialog.tsx'
import { optionsOf } from '../../components/forms/select.tsx'
import { SelectField } from '../../components/forms/select-field.tsx'
import { TextField } from '../../components/forms/text-field.tsx'
import { type Form, useForm } from '../../components/forms/use-form.ts'
import { environmentOf, useApplication, useMe } from '../../frame/me.ts'
import { ridToApiSegment } from '../../resource-path.ts'
import { texts } from '../../texts.ts'
import {
  describePrice,
  isValidPrice,
  type PriceFormValues,
  toApiPrice,
  validatePrice,
} from './price-terms.ts'
import { useAfterSave } from './use-after-save.ts'

interface Props {
  onClose: () => void
  resource: ResourceDetails
}

export const PriceDialog = formDialog(PriceForm, ({ resource }) =>
  texts.resources.addPriceTitle(resource.name),
)

const KINDS = optionsOf(texts.resources.kinds)
const UNITS = optionsOf(texts.resources.units)

/** The message after a price was added, by the payment provider. */
const ADDED = {
  stripe: texts.resources.priceAdded,
  test_cards: texts.resources.priceAddedSandbox,
  none: texts.resources.priceAddedUnsold,
} as const

function PriceForm({ onClose, resource }: Props): ReactNode {
  const { path, environment } = useAppScope()
  const { payments } = environmentOf(useMe(), environment)
  const afterSave = useAfterSave(onClose)
  const currency = useApplication()?.currency ?? ''
  const form = useForm<PriceFormValues>(
    { amount: '', currency, kind: 'recurring', count: '1', unit: 'month', trial_days: '0' },
    {
      check: validatePrice,
      send: async (typed) => {
        const prices = path('resources', ridToApiSegment(resource.rid), 'prices')
        const { terms } = await send<PriceItem>('POST', prices, toApiPrice(typed))
        await afterSave(ADDED[payments](terms))
      },
    },
  )
  return (
    <DialogForm form={form} onClose={onClose} action={texts.resources.addPrice}>
      <div className="grid grid-cols-[minmax(0,1fr)_6rem] items-start gap-3">
        <TextField {...form.field('amount')} label={texts.resources.amount} inputMode="decimal" />
        <TextField {...form.field('currency')} label={texts.resources.currency} maxLength={3} />
      </div>
      <SelectField label={texts.resources.kind} options={KINDS} {...form.bind('kind')} />
      <TimeFields form={form} />
      {isValidPrice(form.values) && <p aria-live="polite">{describePrice(form.values)}</p>}
      {payments === 'none' && <p className="text-soft">{texts.resources.notSold}</p>}
    </DialogForm>
  )
}

function TimeFields({ form }: { form: Form<PriceFormValues> }): ReactNode {
  const { kind } = form.values
  if (kind === 'once') return null
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_8rem] items-start gap-3">
        <TextField
          {...form.field('count')}
          label={kind === 'recurring' ? texts.resources.every : texts.resources.lasts}
          inputMode="numeric"
        />
        <SelectField label={texts.resources.unit} options={UNITS} {...form.bind('unit')} />
      </div>
      {kind === 'recurring' && (
        <TextField {...form.field('trial_days')} {...texts.resources.trial} inputMode="numeric" />
      )}
    </>
  )
}
