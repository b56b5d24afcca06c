import {
  accentColors,
  DARK,
  DEVELOPERS,
  isColor,
  LIGHT,
  type Scheme,
  type SettingsView,
} from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { Card } from '../../../components/display/card.tsx'
import { MailFrame } from '../../../components/display/mail-frame.tsx'
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

/** Shows samples of what readers see, in the colors that the server would use. */
export function BrandPreview({ settings, accent }: Props): ReactNode {
  const { brand } = texts
  const typed = typedColor(accent)
  const color = isColor(typed) ? typed : settings.defaults.accent
  return (
    <Card title={brand.previewTitle} lead={brand.previewLead}>
      <Tabs
        label={brand.previewTitle}
        tabs={[
          { id: 'checkout', label: brand.checkout, content: <Pages {...{ settings, color }} /> },
          {
            id: 'account',
            label: brand.account,
            content: <Pages {...{ settings, color }} isAccount />,
          },
          { id: 'mail', label: brand.mail, content: <Mail {...{ settings, color }} /> },
        ]}
      />
    </Card>
  )
}

interface SampleProps {
  settings: SettingsView
  color: string
  isAccount?: boolean
}

function Pages(props: SampleProps): ReactNode {
  const { light, dark } = texts.brand
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Sample {...props} scheme={LIGHT} label={light} ink="#1a1e1e" soft="#575f5f" />
      <Sample {...props} scheme={DARK} label={dark} ink="#e9ecea" soft="#a8b0ae" />
    </div>
  )
}

interface SchemeProps extends SampleProps {
  scheme: Scheme
  label: string
  ink: string
  soft: string
}

function Sample({ settings, color, isAccount, scheme, label, ink, soft }: SchemeProps): ReactNode {
  const colors = accentColors(color, scheme)
  const { sample } = texts.brand
  const fill = {
    background: colors.button,
    color: colors.onButton,
    border: `1px solid ${colors.buttonEdge}`,
  }
  const facts = isAccount ? [sample.next, sample.nextValue] : [sample.today, sample.price]
  return (
    <figure className="grid min-w-0 content-start gap-2">
      <figcaption className="text-soft">{label}</figcaption>
      <div
        className="grid gap-4 rounded-xl border border-line p-4"
        style={{ background: scheme.paper, color: ink }}
      >
        <Mark settings={settings} />
        <div className="grid gap-3 rounded-lg p-4" style={{ background: scheme.card }}>
          <p className="text-base font-semibold">
            {isAccount ? sample.subscription : sample.title}
          </p>
          {isAccount && (
            <p>
              <span
                className="rounded-full px-2.5 py-0.5 text-sm font-semibold"
                style={{ background: colors.tint, color: colors.accent }}
              >
                {sample.status}
              </span>
            </p>
          )}
          <p className="flex flex-wrap justify-between gap-x-4">
            <span style={{ color: soft }}>{facts[0]}</span>
            <span className="font-semibold">{facts[1]}</span>
          </p>
          <p className="rounded-lg px-3 py-2 text-center font-semibold" style={fill}>
            {isAccount ? sample.update : sample.pay}
          </p>
        </div>
        <p className="text-center text-xs" style={{ color: soft }}>
          {settings.seller_name || settings.name}
          {settings.support_email !== '' && ` · ${sample.questions} ${settings.support_email}`}
        </p>
      </div>
    </figure>
  )
}

/** Without https, the policy allows only images of the address at which the dashboard was opened. */
function Mark({ settings: { logo, name } }: { settings: SettingsView }): ReactNode {
  if (logo === null) return <p className="font-semibold">{name}</p>
  return (
    <img
      src={new URL(logo).pathname}
      alt={name}
      className="max-h-12 max-w-40 justify-self-start rounded bg-white object-contain p-1"
    />
  )
}

function Mail({ settings, color }: SampleProps): ReactNode {
  const template = settings.mail_templates.receipt ?? settings.defaults.mail_templates.receipt
  const accent = useDebounced(color, DEBOUNCE_MS)
  const preview = useMailPreview(template, useHasRole(DEVELOPERS), { kind: 'receipt', accent })
  return preview?.ok ? <MailFrame html={preview.html} title={texts.brand.mailTitle} /> : null
}
