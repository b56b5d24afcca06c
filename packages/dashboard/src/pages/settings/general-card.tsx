import { isCurrency, type SettingsView } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { TextField } from '../../components/forms/text-field.tsx'
import { required } from '../../components/forms/use-form.ts'
import { texts } from '../../texts.ts'
import { SettingsCard } from './settings-card.tsx'
import { useSettingsForm } from './use-settings.ts'
import { lengthProblem } from './validation.ts'

const currencyProblem = (code: string) =>
  required(code) ??
  (isCurrency(code.trim().toUpperCase()) ? undefined : texts.settings.currencyWrong)

export function GeneralCard({ settings }: { settings: SettingsView }): ReactNode {
  const form = useSettingsForm({
    settings,
    show: ({ name, currency }) => ({ name, currency }),
    check: ({ name, currency }) => ({
      name: required(name) ?? lengthProblem(name),
      currency: currencyProblem(currency),
    }),
    read: ({ name, currency }) => ({ name: name.trim(), currency: currency.trim().toUpperCase() }),
  })
  return (
    <SettingsCard title={texts.settings.generalTitle} form={form}>
      <TextField {...form.field('name')} {...texts.settings.name} />
      <TextField
        {...form.field('currency')}
        {...texts.settings.currency}
        maxLength={3}
        className="uppercase sm:max-w-24"
      />
    </SettingsCard>
  )
}
