import { OWNERS, type SettingsView } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/display/card.tsx'
import { Notice } from '../../components/display/notice.tsx'
import { QueryContent } from '../../components/display/query-content.tsx'
import { StateBadge } from '../../components/display/state-badge.tsx'
import { useHasRole } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { ArchiveCard } from './archive-card.tsx'
import { GeneralCard } from './general-card.tsx'
import { ReplayCard } from './replay-card.tsx'
import { ReturnUrlsCard } from './return-urls-card.tsx'
import { SellingCard } from './selling-card.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { useCanChangeSettings, useSettings } from './use-settings.ts'

export function SettingsPage(): ReactNode {
  const query = useSettings()
  const isArchived = (query.data?.archived ?? null) !== null
  return (
    <SettingsFrame
      current="general"
      lead={texts.settings.lead}
      beside={isArchived && <StateBadge state="ended">{texts.settings.archivedBadge}</StateBadge>}
    >
      <QueryContent query={query} lines={8}>
        {(settings) => <Cards key={settings.aid} settings={settings} />}
      </QueryContent>
    </SettingsFrame>
  )
}

function Cards({ settings }: { settings: SettingsView }): ReactNode {
  const canChange = useCanChangeSettings(settings)
  const isOwner = useHasRole(OWNERS)
  return (
    <div className="grid gap-4">
      {settings.archived !== null ? (
        <Notice tone="ending">{texts.settings.archivedNotice}</Notice>
      ) : (
        !canChange && <Notice>{texts.settings.readOnly}</Notice>
      )}
      {/* Two columns of about the same height, not rows of cards: those would leave holes under the lower ones. */}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          <GeneralCard settings={settings} />
          <ReturnUrlsCard settings={settings} />
          <ReplayCard settings={settings} />
        </div>
        <div className="grid gap-4">
          <SellingCard settings={settings} />
          {isOwner && <MoreCard />}
          {isOwner && settings.archived === null && <ArchiveCard settings={settings} />}
        </div>
      </div>
    </div>
  )
}

/** Links to pages for owners that cover all applications. */
function MoreCard(): ReactNode {
  const { environment, aid } = useAppScope()
  return (
    <Card title={texts.settings.moreTitle} lead={texts.settings.moreLead}>
      <div className="flex flex-wrap gap-2">
        <Link to="/team" className={buttonClass()}>
          {texts.settings.team}
        </Link>
        <Link to="/audit" search={{ aid, environment } as never} className={buttonClass()}>
          {texts.settings.audit}
        </Link>
      </div>
    </Card>
  )
}
