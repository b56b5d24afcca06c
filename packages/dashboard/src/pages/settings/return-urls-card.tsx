import type { ReactNode } from 'react'
import type { ShownSettings } from '../../../../server/src/http/dashboard/settings/schemas.ts'
import { Field } from '../../parts/forms/field.tsx'
import { TextArea } from '../../parts/forms/text-input.tsx'
import { texts } from '../../texts.ts'
import { linesOf, returnUrlsProblem } from './checks.ts'
import { SettingsCard } from './settings-card.tsx'
import { useMayChange, useSettingsForm } from './use-settings.ts'

export function ReturnUrlsCard({ settings }: { settings: ShownSettings }): ReactNode {
  const form = useSettingsForm({
    settings,
    show: ({ return_urls }) => ({ return_urls: return_urls.join('\n') }),
    check: ({ return_urls }) => ({ return_urls: returnUrlsProblem(return_urls) }),
    read: ({ return_urls }) => ({ return_urls: linesOf(return_urls) }),
  })
  const isEmpty = linesOf(form.values.return_urls).length === 0
  return (
    <SettingsCard
      title={texts.settings.returnTitle}
      lead={texts.settings.returnLead}
      form={form}
      mayChange={useMayChange(settings)}
    >
      <Field
        label={texts.settings.returnUrls}
        hint={
          <>
            {isEmpty && `${texts.settings.returnNone} `}
            {texts.settings.returnHint}
          </>
        }
        error={form.errorOf('return_urls')}
      >
        <TextArea
          rows={3}
          spellCheck={false}
          className="font-mono text-[0.8125rem]"
          {...form.bind('return_urls')}
        />
      </Field>
    </SettingsCard>
  )
}
