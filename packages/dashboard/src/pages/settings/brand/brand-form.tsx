import { accentColors, isColor, LIGHT, type SettingsView } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { TextField, UrlField } from '../../../components/forms/text-field.tsx'
import { texts } from '../../../texts.ts'
import { SettingsCard } from '../settings-card.tsx'
import { type SettingsForm, useSettingsForm } from '../use-settings.ts'

const LINKS = ['terms', 'privacy', 'imprint', 'refunds'] as const
const linkName = (kind: (typeof LINKS)[number]) => `legal_links.${kind}` as const

export type BrandValues = Record<
  'accent' | 'support_email' | 'time_zone' | ReturnType<typeof linkName>,
  string
>

/** The color that was typed, as it is stored. */
export const typedColor = (text: string) => text.trim().toLowerCase()

export function useBrandForm(settings: SettingsView): SettingsForm<BrandValues> {
  return useSettingsForm<BrandValues>({
    settings,
    show: ({ accent, support_email, time_zone, legal_links }) => ({
      ...{ accent, support_email, time_zone },
      'legal_links.terms': legal_links.terms ?? '',
      'legal_links.privacy': legal_links.privacy ?? '',
      'legal_links.imprint': legal_links.imprint ?? '',
      'legal_links.refunds': legal_links.refunds ?? '',
    }),
    check: ({ accent }) => ({
      accent:
        accent.trim() === '' || isColor(typedColor(accent)) ? undefined : texts.brand.accentWrong,
    }),
    read: (values) => ({
      accent: typedColor(values.accent),
      support_email: values.support_email.trim(),
      time_zone: values.time_zone.trim(),
      legal_links: Object.fromEntries(LINKS.map((kind) => [kind, values[linkName(kind)].trim()])),
    }),
  })
}

interface Props {
  form: SettingsForm<BrandValues>
  settings: SettingsView
}

export function BrandForm({ form, settings }: Props): ReactNode {
  const { brand } = texts
  return (
    <SettingsCard title={brand.title} form={form}>
      <AccentField form={form} builtIn={settings.defaults.accent} />
      <TextField {...form.field('support_email')} {...brand.support} optional inputMode="email" />
      <TextField {...form.field('time_zone')} {...brand.timeZone} list="time-zones" />
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <h3 className="font-medium">{brand.legalTitle}</h3>
      {LINKS.map((kind) => (
        <UrlField
          key={kind}
          {...form.field(linkName(kind))}
          label={brand.legal[kind]}
          optional
          placeholder={`https://example.com/${kind}`}
        />
      ))}
    </SettingsCard>
  )
}

function AccentField({ form, builtIn }: { form: Props['form']; builtIn: string }): ReactNode {
  const { brand } = texts
  const typed = typedColor(form.values.accent)
  const color = isColor(typed) ? typed : builtIn
  const isAdjusted = accentColors(color, LIGHT).accent !== color
  return (
    <div className="flex items-start gap-3">
      <div className="min-w-0 flex-1">
        <TextField
          {...form.field('accent')}
          label={brand.accent}
          hint={isAdjusted ? `${brand.accentHint} ${brand.accentAdjusted}` : brand.accentHint}
          optional
          placeholder={builtIn}
          spellCheck={false}
        />
      </div>
      <input
        type="color"
        aria-label={brand.accentPick}
        value={color}
        onChange={({ target }) => form.set('accent', target.value)}
        className="mt-7 h-9 w-12 cursor-pointer rounded-lg border border-line bg-card p-1"
      />
    </div>
  )
}
