import { DEVELOPERS, placeholdersOf, type SettingsView } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Notice } from '../../components/display/notice.tsx'
import { TextField } from '../../components/forms/text-field.tsx'
import { environmentOf, useHasRole, useMe } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { MailPreviewBox, useMailPreview } from './mail-preview.tsx'
import { SettingsCard } from './settings-card.tsx'
import { TemplateField } from './template-field.tsx'
import { useSettingsForm } from './use-settings.ts'

export function MailCard({ settings }: { settings: SettingsView }): ReactNode {
  const { environment } = useAppScope()
  const { delivery } = environmentOf(useMe(), environment)
  const { defaults } = settings
  const form = useSettingsForm({
    settings,
    show: ({ mail_from, mail_template }) => ({
      mail_from,
      mail_template: mail_template === '' ? defaults.mail_template : mail_template,
    }),
    read: ({ mail_from, mail_template }) => ({
      mail_from: mail_from.trim(),
      mail_template: mail_template === defaults.mail_template ? '' : mail_template,
    }),
  })
  const { mail_from, mail_template } = form.values
  const canPreview = useHasRole(DEVELOPERS)
  const preview = useMailPreview(mail_template, canPreview)
  const problems = preview?.ok === false ? preview.problems : []
  return (
    <SettingsCard
      title={texts.settings.mailTitle}
      lead={texts.settings.mailLead}
      form={form}
      preview={
        canPreview && (
          <MailPreviewBox
            preview={preview}
            from={mail_from.trim() || defaults.mail_from}
            name={texts.settings.grantMail}
          />
        )
      }
    >
      {delivery === 'kept' && <Notice>{texts.settings.kept}</Notice>}
      <TextField
        {...form.field('mail_from')}
        label={texts.settings.sender}
        hint={`${texts.settings.senderHint} ${texts.settings.senderDefault(defaults.mail_from)}`}
        optional
        placeholder={defaults.mail_from}
      />
      <TemplateField
        bound={form.bind('mail_template')}
        error={form.errorOf('mail_template')}
        problems={problems}
        canChange={form.canChange}
        builtIn={defaults.mail_template}
        names={placeholdersOf('grant')}
        label={texts.settings.template}
        onText={(text) => form.set('mail_template', text)}
      />
    </SettingsCard>
  )
}
