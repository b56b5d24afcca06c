import {
  DEVELOPERS,
  placeholdersOf,
  type SettingsView,
  STORED_TEMPLATE_KINDS,
  type StoredTemplateKind,
} from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { Card } from '../../components/display/card.tsx'
import { SelectField } from '../../components/forms/select-field.tsx'
import { useHasRole } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { MailPreviewBox, useMailPreview } from './mail-preview.tsx'
import { SettingsCard } from './settings-card.tsx'
import { TemplateField } from './template-field.tsx'
import { useSettingsForm } from './use-settings.ts'

const OPTIONS = STORED_TEMPLATE_KINDS.map((kind) => ({
  value: kind,
  label: texts.settings.mailKinds[kind],
}))

/** The emails about money, one at a time. */
export function TemplatesCard({ settings }: { settings: SettingsView }): ReactNode {
  const [kind, setKind] = useState<StoredTemplateKind>('receipt')
  const choose = (value: string) =>
    setKind(STORED_TEMPLATE_KINDS.find((one) => one === value) ?? 'receipt')
  return (
    <>
      <Card title={texts.settings.templatesTitle}>
        <SelectField
          label={texts.settings.mailKind}
          options={OPTIONS}
          value={kind}
          onChange={({ target }) => choose(target.value)}
          className="sm:max-w-72"
        />
      </Card>
      <TemplateForm key={kind} kind={kind} settings={settings} />
    </>
  )
}

interface Props {
  kind: StoredTemplateKind
  settings: SettingsView
}

function TemplateForm({ kind, settings }: Props): ReactNode {
  const name = `mail_templates.${kind}`
  const builtIn = settings.defaults.mail_templates[kind]
  const form = useSettingsForm<Record<string, string>>({
    settings,
    show: ({ mail_templates }) => ({ [name]: mail_templates[kind] ?? builtIn }),
    read: (values) => ({
      mail_templates: { [kind]: values[name] === builtIn ? '' : (values[name] ?? '') },
    }),
  })
  const canPreview = useHasRole(DEVELOPERS)
  const preview = useMailPreview(form.values[name] ?? '', canPreview, { kind })
  return (
    <SettingsCard
      title={texts.settings.mailKinds[kind]}
      form={form}
      preview={
        canPreview && (
          <MailPreviewBox
            preview={preview}
            name={texts.settings.mailKinds[kind]}
            from={settings.mail_from || settings.defaults.mail_from}
          />
        )
      }
    >
      <TemplateField
        bound={form.bind(name)}
        error={form.errorOf(name)}
        problems={preview?.ok === false ? preview.problems : []}
        canChange={form.canChange}
        builtIn={builtIn}
        names={placeholdersOf(kind)}
        label={texts.settings.templateOf}
        onText={(text) => form.set(name, text)}
      />
    </SettingsCard>
  )
}
