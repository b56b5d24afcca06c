import type { SettingsView } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { useAppScope } from '../../../app-scope.ts'
import { Card } from '../../../components/display/card.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { QueryContent } from '../../../components/display/query-content.tsx'
import { ImageUpload } from '../../../components/forms/image-upload.tsx'
import { texts } from '../../../texts.ts'
import { SettingsFrame } from '../settings-frame.tsx'
import { useSettings } from '../use-settings.ts'
import { BrandForm, useBrandForm } from './brand-form.tsx'
import { BrandPreview } from './brand-preview.tsx'

export function BrandPage(): ReactNode {
  return (
    <SettingsFrame current="brand" lead={texts.brand.lead}>
      <QueryContent query={useSettings()} lines={8}>
        {(settings) => <Cards key={settings.aid} settings={settings} />}
      </QueryContent>
    </SettingsFrame>
  )
}

function Cards({ settings }: { settings: SettingsView }): ReactNode {
  const form = useBrandForm(settings)
  return (
    <div className="grid gap-4">
      {!form.canChange && settings.archived === null && <Notice>{texts.settings.readOnly}</Notice>}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid min-w-0 gap-4">
          <LogoCard settings={settings} canEdit={form.canChange} />
          <BrandForm form={form} settings={settings} />
        </div>
        <BrandPreview settings={settings} accent={form.values.accent} />
      </div>
    </div>
  )
}

function LogoCard({ settings, canEdit }: { settings: SettingsView; canEdit: boolean }): ReactNode {
  const { path } = useAppScope()
  return (
    <Card title={texts.brand.logoTitle} lead={texts.brand.logoLead}>
      <ImageUpload
        image={settings.logo ?? ''}
        isUploaded={settings.logo !== null}
        name={settings.name}
        path={path('settings', 'logo')}
        canEdit={canEdit}
        hint={texts.brand.logoHint}
      />
    </Card>
  )
}
