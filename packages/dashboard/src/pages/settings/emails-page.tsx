import type { ReactNode } from 'react'
import { Notice } from '../../components/display/notice.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { errorMessage } from '../../components/forms/use-form.ts'
import { texts } from '../../texts.ts'
import { MailCard } from './mail-card.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { TemplatesCard } from './templates-card.tsx'
import { useSettings } from './use-settings.ts'

/** Who sends the emails to readers, and what they say. */
export function EmailsPage(): ReactNode {
  const { data, error } = useSettings()
  return (
    <SettingsFrame current="emails" lead={texts.settings.templatesLead}>
      {error && <Notice tone="failed">{errorMessage(error)}</Notice>}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <div key={data.aid} className="grid gap-4">
          <MailCard settings={data} />
          <TemplatesCard settings={data} />
        </div>
      )}
    </SettingsFrame>
  )
}
