import type { ReactNode } from 'react'
import { isCurrency } from '../../../../server/src/domain/apps/currency.ts'
import type { ShownSettings } from '../../../../server/src/http/dashboard/settings/schemas.ts'
import { Field } from '../../parts/forms/field.tsx'
import { TextInput } from '../../parts/forms/text-input.tsx'
import { required } from '../../parts/forms/use-form.ts'
import { texts } from '../../texts.ts'
import { tooLong } from './checks.ts'
import { SettingsCard } from './settings-card.tsx'
import { useMayChange, useSettingsForm } from './use-settings.ts'

const currencyProblem = (code: string) =>
  required(code) ??
  (isCurrency(code.trim().toUpperCase()) ? undefined : texts.settings.currencyWrong)

export function GeneralCard({ settings }: { settings: ShownSettings }): ReactNode {
  const form = useSettingsForm({
    settings,
    show: ({ name, currency }) => ({ name, currency }),
    check: ({ name, currency }) => ({
      name: required(name) ?? tooLong(name),
      currency: currencyProblem(currency),
    }),
    read: ({ name, currency }) => ({ name: name.trim(), currency: currency.trim().toUpperCase() }),
  })
  return (
    <SettingsCard
      title={texts.settings.generalTitle}
      form={form}
      mayChange={useMayChange(settings)}
    >
      <Field
        label={texts.settings.name}
        hint={texts.settings.nameHint}
        error={form.errorOf('name')}
      >
        <TextInput autoComplete="off" {...form.bind('name')} />
      </Field>
      <Field
        label={texts.settings.currency}
        hint={texts.settings.currencyHint}
        error={form.errorOf('currency')}
      >
        <TextInput
          autoComplete="off"
          maxLength={3}
          className="uppercase sm:max-w-24"
          {...form.bind('currency')}
        />
      </Field>
    </SettingsCard>
  )
}
