import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Copyable } from '../../components/display/copyable.tsx'
import { Notice } from '../../components/display/notice.tsx'
import { Tabs } from '../../components/display/tabs.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { environmentOf, useApplication, useMe } from '../../frame/me.ts'
import { Page } from '../../frame/page.tsx'
import { texts } from '../../texts.ts'
import { ConsoleTab } from './console-tab.tsx'
import { KeysTab } from './keys-tab.tsx'
import { API_REFERENCE_PATH } from './openapi.ts'
import { RefusedRequestsTab } from './refused-tab.tsx'
import { EventsTab } from './webhooks/events-tab.tsx'
import { WebhooksTab } from './webhooks/webhooks-tab.tsx'

const TABS = [
  { id: 'keys', label: texts.developers.tabs.keys, content: <KeysTab /> },
  { id: 'console', label: texts.developers.tabs.console, content: <ConsoleTab />, kept: true },
  { id: 'refused', label: texts.developers.tabs.refused, content: <RefusedRequestsTab /> },
  { id: 'webhooks', label: texts.webhooks.title, content: <WebhooksTab /> },
  { id: 'events', label: texts.webhooks.events, content: <EventsTab /> },
]

export function DevelopersPage(): ReactNode {
  const { search, change } = useListState()
  const archived = useApplication()?.archived ?? false
  const tab = TABS.find(({ id }) => id === search.tab)?.id ?? 'keys'
  return (
    <Page title={texts.pages.developers} lead={texts.developers.lead}>
      {archived && <Notice tone="ending">{texts.developers.archived}</Notice>}
      <Connection />
      <Tabs
        label={texts.developers.sections}
        tabs={TABS}
        value={tab}
        onValueChange={(next) => change({ tab: next === 'keys' ? undefined : next })}
      />
    </Page>
  )
}

/** The values that a client needs besides a key: the AID and the address. */
function Connection(): ReactNode {
  const { environment, aid } = useAppScope()
  const { address } = environmentOf(useMe(), environment)
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-2">
      <dl className="contents">
        <Fact label={texts.developers.aid} value={aid} />
        <Fact label={texts.developers.address} value={address} />
      </dl>
      <a
        href={API_REFERENCE_PATH}
        target="_blank"
        rel="noreferrer"
        className="inline-flex min-h-8 items-center gap-1.5 text-accent underline underline-offset-2"
      >
        {texts.developers.reference}
        <ExternalLink size={14} aria-hidden />
      </a>
    </div>
  )
}

function Fact({ label, value }: { label: string; value: string }): ReactNode {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2">
      <dt className="text-soft">{label}</dt>
      <dd className="min-w-0">
        <Copyable value={value} label={label} />
      </dd>
    </div>
  )
}
