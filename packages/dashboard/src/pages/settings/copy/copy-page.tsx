import type { PairView } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { get, keys } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { Notice } from '../../../components/display/notice.tsx'
import { QueryContent } from '../../../components/display/query-content.tsx'
import { useApplication } from '../../../frame/me.ts'
import { texts } from '../../../texts.ts'
import { SettingsFrame } from '../settings-frame.tsx'
import { CopyCard } from './copy-card.tsx'
import { CounterpartCard } from './counterpart-card.tsx'
import { otherEnvironment } from './items.ts'
import { PairCard } from './pair-card.tsx'

const words = texts.copying

/** Copies what the application has to its counterpart in the other environment. */
export function CopyPage(): ReactNode {
  const { environment, aid, path } = useAppScope()
  const query = useQuery({
    queryKey: keys.of(environment, aid, 'pair'),
    queryFn: ({ signal }) => get<PairView>(path('pair'), {}, signal),
  })
  return (
    <SettingsFrame current="copy" lead={words.lead(otherEnvironment(environment))}>
      <QueryContent query={query} lines={8}>
        {(view) => <Cards key={aid} view={view} />}
      </QueryContent>
    </SettingsFrame>
  )
}

function Cards({ view }: { view: PairView }): ReactNode {
  const isArchived = useApplication()?.archived ?? false
  if (isArchived) return <Notice tone="ending">{words.archived}</Notice>
  if (view.pair === null) return <PairCard view={view} />
  const canCopy = view.pair.name !== null && !view.pair.is_archived
  return (
    <div className="grid gap-4">
      <CounterpartCard environment={view.environment} pair={view.pair} />
      {canCopy && <CopyCard environment={view.environment} pair={view.pair} />}
      <p className="max-w-prose text-soft">{words.never}</p>
    </div>
  )
}
