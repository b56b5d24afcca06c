import type { ReactNode } from 'react'
import { QueryContent } from '../../components/display/query-content.tsx'
import { texts } from '../../texts.ts'
import { MailCard } from './mail-card.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { TemplatesCard } from './templates-card.tsx'
import { useSettings } from './use-settings.ts'

/** The settings of emails to readers: their sender and their templates. */
export function EmailsPage(): ReactNode {
  return (
    <SettingsFrame current="emails" lead={texts.settings.templatesLead}>
      <QueryContent query={useSettings()} lines={8}>
        {(settings) => (
          <div key={settings.aid} className="grid gap-4">
            <MailCard settings={settings} />
            <TemplatesCard settings={settings} />
          </div>
        )}
      </QueryContent>
    </SettingsFrame>
  )
}
