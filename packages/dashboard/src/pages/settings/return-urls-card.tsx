import type { SettingsView } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { Field } from '../../components/forms/field.tsx'
import { TextArea } from '../../components/forms/text-input.tsx'
import { texts } from '../../texts.ts'
import { SettingsCard } from './settings-card.tsx'
import { useSettingsForm } from './use-settings.ts'
import { returnUrlsProblem, splitLines } from './validation.ts'

export function ReturnUrlsCard({ settings }: { settings: SettingsView }): ReactNode {
  const form = useSettingsForm({
    settings,
    show: ({ return_urls }) => ({ return_urls: return_urls.join('\n') }),
    check: ({ return_urls }) => ({ return_urls: returnUrlsProblem(return_urls) }),
    read: ({ return_urls }) => ({ return_urls: splitLines(return_urls) }),
  })
  const isEmpty = splitLines(form.values.return_urls).length === 0
  return (
    <SettingsCard title={texts.settings.returnTitle} lead={texts.settings.returnLead} form={form}>
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
