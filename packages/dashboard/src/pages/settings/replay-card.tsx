import type { SettingsView } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { Checkbox } from '../../components/forms/checkbox.tsx'
import { texts } from '../../texts.ts'
import { SettingsCard } from './settings-card.tsx'
import { useSettingsForm } from './use-settings.ts'

export function ReplayCard({ settings }: { settings: SettingsView }): ReactNode {
  const form = useSettingsForm({
    settings,
    show: ({ require_ts }) => ({ require_ts: require_ts ? 'on' : 'off' }),
    read: ({ require_ts }) => ({ require_ts: require_ts === 'on' }),
  })
  return (
    <SettingsCard title={texts.settings.replayTitle} lead={texts.settings.replayLead} form={form}>
      <Checkbox
        {...texts.settings.requireTs}
        checked={form.values.require_ts === 'on'}
        onCheckedChange={(checked) => form.set('require_ts', checked ? 'on' : 'off')}
        disabled={!form.canChange}
      />
    </SettingsCard>
  )
}
