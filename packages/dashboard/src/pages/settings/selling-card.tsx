import type { SettingsView } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { TextAreaField, TextField } from '../../components/forms/text-field.tsx'
import { texts } from '../../texts.ts'
import { SettingsCard } from './settings-card.tsx'
import { useSettingsForm } from './use-settings.ts'
import { graceProblem, lengthProblem, postalAddressProblem, splitLines } from './validation.ts'

function useSellingForm(settings: SettingsView) {
  return useSettingsForm({
    settings,
    show: ({ seller_name, seller_address, tax_line, grace_days }) => ({
      ...{ seller_name, seller_address, tax_line },
      grace_days: String(grace_days),
    }),
    check: ({ seller_name, seller_address, tax_line, grace_days }) => ({
      seller_name: lengthProblem(seller_name),
      seller_address: postalAddressProblem(seller_address),
      tax_line: lengthProblem(tax_line),
      grace_days: graceProblem(grace_days),
    }),
    read: ({ seller_name, seller_address, tax_line, grace_days }) => ({
      seller_name: seller_name.trim(),
      seller_address: seller_address.trim(),
      tax_line: tax_line.trim(),
      grace_days: Number(grace_days),
    }),
  })
}

export function SellingCard({ settings }: { settings: SettingsView }): ReactNode {
  const form = useSellingForm(settings)
  const { seller_name, seller_address, tax_line } = form.values
  return (
    <SettingsCard title={texts.settings.sellingTitle} lead={texts.settings.sellingLead} form={form}>
      <TextField
        {...form.field('seller_name')}
        {...texts.settings.sellerName}
        optional
        placeholder={settings.defaults.seller_name}
      />
      <TextAreaField
        {...form.field('seller_address')}
        {...texts.settings.sellerAddress}
        optional
        rows={4}
      />
      <TextField {...form.field('tax_line')} {...texts.settings.taxLine} optional />
      <Receipt
        lines={[
          seller_name.trim() || settings.defaults.seller_name,
          ...splitLines(seller_address),
          ...splitLines(tax_line),
        ]}
      />
      <TextField
        {...form.field('grace_days')}
        {...texts.settings.grace}
        inputMode="numeric"
        className="sm:max-w-24"
      />
    </SettingsCard>
  )
}

/** The seller as printed on a receipt. */
function Receipt({ lines }: { lines: readonly string[] }): ReactNode {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 rounded-lg border border-line bg-paper px-3 py-2">
      <dt className="text-soft">{texts.settings.receipt}</dt>
      <dd>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no ids, and may be equal.
          <span key={at} className="block">
            {line}
          </span>
        ))}
      </dd>
    </dl>
  )
}
