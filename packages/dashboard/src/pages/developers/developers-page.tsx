import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { environmentOf, useApplication, useMe } from '../../frame/me.ts'
import { Page } from '../../frame/page.tsx'
import { Copyable } from '../../parts/display/copyable.tsx'
import { Notice } from '../../parts/display/notice.tsx'
import { Tabs } from '../../parts/display/tabs.tsx'
import { useListState } from '../../parts/lists/list-state.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { ConsoleTab } from './console-tab.tsx'
import { REFERENCE } from './contract.ts'
import { KeysTab } from './keys-tab.tsx'
import { RefusedTab } from './refused-tab.tsx'

const TABS = [
  { id: 'keys', label: texts.developers.tabs.keys, content: <KeysTab /> },
  { id: 'console', label: texts.developers.tabs.console, content: <ConsoleTab />, kept: true },
  { id: 'refused', label: texts.developers.tabs.refused, content: <RefusedTab /> },
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

/** What a client needs besides a key. */
function Connection(): ReactNode {
  const { environment, aid } = usePlace()
  const { address } = environmentOf(useMe(), environment)
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-2">
      <dl className="contents">
        <Fact label={texts.developers.aid} value={aid} />
        <Fact label={texts.developers.address} value={address} />
      </dl>
      <a
        href={REFERENCE}
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
        <Copyable value={value} what={label} />
      </dd>
    </div>
  )
}
