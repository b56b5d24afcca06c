import type { CopyView, PairedApplication } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiError, get, keys } from '../../../api.ts'
import { type EnvironmentName, useAppScope } from '../../../app-scope.ts'
import { ProgressBar } from '../../../components/charts/progress-bar.tsx'
import { Card } from '../../../components/display/card.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { QueryContent } from '../../../components/display/query-content.tsx'
import { errorMessage } from '../../../components/forms/use-form.ts'
import { texts } from '../../../texts.ts'
import { PreviewCard } from './preview-card.tsx'
import { ResultCard } from './result-card.tsx'
import { useCopy } from './use-copy.ts'

const words = texts.copying

interface Props {
  environment: EnvironmentName
  pair: PairedApplication
}

/** Previews a copy, makes it, and says what became of it. */
export function CopyCard({ environment, pair }: Props): ReactNode {
  const here = useAppScope()
  const query = useQuery({
    queryKey: keys.of(here.environment, here.aid, 'copy'),
    queryFn: ({ signal }) => get<CopyView>(here.path('copy'), {}, signal),
    // A preview that is looked at must not change by itself: ticks would move.
    refetchOnWindowFocus: false,
    staleTime: 0,
  })
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set())
  const { state, start, stop, reset } = useCopy({ environment, aid: pair.aid })
  const lookAgain = async () => {
    setUnticked(new Set())
    await query.refetch()
    reset()
  }
  if (state.name === 'running') {
    const { done, total } = state
    return (
      <Card title={words.copying}>
        <ProgressBar
          label={words.copying}
          {...{ done, total }}
          text={words.progress(done, total)}
          stop={words.stop}
          onStop={stop}
        />
        <p className="text-soft">{words.keepOpen}</p>
      </Card>
    )
  }
  if (state.name === 'ended') {
    return <ResultCard {...state} environment={environment} pair={pair} onAgain={lookAgain} />
  }
  return (
    <>
      {state.name === 'refused' && <Refused error={state.error} />}
      <QueryContent query={query} lines={6}>
        {(view) => (
          <PreviewCard
            {...{ view, environment, pair, unticked }}
            onTick={setUnticked}
            onCopy={async (body) => {
              await start(body)
              await query.refetch()
            }}
          />
        )}
      </QueryContent>
    </>
  )
}

function Refused({ error }: { error: unknown }): ReactNode {
  const isChanged = error instanceof ApiError && error.code === 'copy_changed'
  return (
    <Notice tone={isChanged ? 'ending' : 'failed'}>
      <span role="status">{isChanged ? words.changedMeanwhile : errorMessage(error)}</span>
    </Notice>
  )
}
