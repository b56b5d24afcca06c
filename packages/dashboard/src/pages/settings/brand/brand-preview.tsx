import {
  DEVELOPERS,
  isColor,
  type PagePreview,
  type SamplePage,
  type SettingsView,
} from '@gatehouse/server/dashboard-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { get, keys } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { Card } from '../../../components/display/card.tsx'
import { type ColorScheme, HtmlFrame } from '../../../components/display/html-frame.tsx'
import { Skeleton } from '../../../components/display/skeleton.tsx'
import { Tabs } from '../../../components/display/tabs.tsx'
import { useDebounced } from '../../../components/use-debounced.ts'
import { useHasRole } from '../../../frame/me.ts'
import { texts } from '../../../texts.ts'
import { useMailPreview } from '../mail-preview.tsx'
import { typedColor } from './brand-form.tsx'

interface Props {
  settings: SettingsView
  /** The color in the form, which may not be saved yet. */
  accent: string
}

const DEBOUNCE_MS = 250

/** Shows what readers see, as the server renders it with sample data. */
export function BrandPreview({ settings, accent }: Props): ReactNode {
  const { brand } = texts
  const [scheme, setScheme] = useState<ColorScheme>('light')
  const typed = typedColor(accent)
  const color = useDebounced(isColor(typed) ? typed : settings.defaults.accent, DEBOUNCE_MS)
  const sample = { settings, color, scheme }
  const mail = { id: 'mail', label: brand.mail, content: <Mail {...sample} /> }
  // The emails can be previewed by those who may reword them.
  const canSeeMail = useHasRole(DEVELOPERS)
  return (
    <Card title={brand.previewTitle} lead={brand.previewLead}>
      <SchemeSwitch scheme={scheme} onChange={setScheme} />
      <Tabs
        label={brand.previewTitle}
        tabs={[
          { id: 'checkout', label: brand.checkout, content: <Page {...sample} page="checkout" /> },
          { id: 'account', label: brand.account, content: <Page {...sample} page="account" /> },
          ...(canSeeMail ? [mail] : []),
        ]}
      />
    </Card>
  )
}

interface SwitchProps {
  scheme: ColorScheme
  onChange: (scheme: ColorScheme) => void
}

function SchemeSwitch({ scheme, onChange }: SwitchProps): ReactNode {
  const { brand } = texts
  return (
    <fieldset className="flex flex-wrap gap-4">
      <legend className="sr-only">{brand.scheme}</legend>
      {(['light', 'dark'] as const).map((one) => (
        <label key={one} className="flex items-center gap-2">
          <input
            type="radio"
            name="scheme"
            checked={scheme === one}
            onChange={() => onChange(one)}
            className="size-4 accent-accent"
          />
          {brand[one]}
        </label>
      ))}
    </fieldset>
  )
}

interface SampleProps {
  settings: SettingsView
  color: string
  scheme: ColorScheme
}

function Page({ settings, color, scheme, page }: SampleProps & { page: SamplePage }): ReactNode {
  const { environment, aid, path } = useAppScope()
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'page-preview', page, color, settings),
    queryFn: () => get<PagePreview>(path('settings', 'page-preview'), { page, accent: color }),
    placeholderData: keepPreviousData,
  })
  if (!data) return <Skeleton lines={8} />
  return (
    <HtmlFrame html={data.html} title={texts.brand.pageTitles[page]} scheme={scheme} isPicture />
  )
}

function Mail({ settings, color, scheme }: SampleProps): ReactNode {
  const template = settings.mail_templates.receipt ?? settings.defaults.mail_templates.receipt
  const preview = useMailPreview(template, true, { kind: 'receipt', accent: color })
  if (!preview?.ok) return <Skeleton lines={8} />
  return <HtmlFrame html={preview.html} title={texts.brand.mailTitle} scheme={scheme} />
}
