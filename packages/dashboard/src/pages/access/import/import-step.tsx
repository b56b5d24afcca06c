import type { SheetReading } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Parameters } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/display/card.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { errorMessage } from '../../../components/forms/use-form.ts'
import { texts } from '../../../texts.ts'
import { useRefetch } from '../use-refetch.ts'
import { ImportProgress } from './import-progress.tsx'
import {
  type Choice,
  type ImportEffects,
  type Progress,
  type Run,
  runImport,
  type Sheet,
  toParameters,
} from './import-run.ts'
import { PreviewCard } from './preview-card.tsx'

const words = texts.importing

interface Props {
  sheet: Sheet
  reading: SheetReading
  choice: Choice
  onBack: () => void
  onDone: (run: Run) => void
}

type State =
  | { name: 'running'; isPreview: boolean; progress: Progress }
  | { name: 'previewed'; run: Run }
  | { name: 'ended'; message: string }

/** The message about a run that did not reach its end. */
function endedMessage(isPreview: boolean, isStopped: boolean, progress: Progress, error: unknown) {
  if (isPreview) return isStopped ? words.stoppedCheck : errorMessage(error)
  if (progress.done === 0 && !isStopped) return errorMessage(error)
  return (isStopped ? words.stoppedLead : words.broken)(progress.done, progress.total)
}

function useRuns({ sheet, reading, choice, onDone }: Props) {
  const { path } = useAppScope()
  const refetch = useRefetch()
  const stop = useRef<AbortController>(undefined)
  const start = { done: 0, total: reading.rows }
  const [state, setState] = useState<State>({ name: 'running', isPreview: true, progress: start })

  async function run(isPreview: boolean, more: Parameters) {
    const controller = new AbortController()
    stop.current = controller
    let progress: Progress = start
    const onProgress = (made: Progress) => {
      progress = made
      setState({ name: 'running', isPreview, progress })
    }
    onProgress(start)
    try {
      const parameters = { ...toParameters(choice), ...more }
      const options = { onProgress, signal: controller.signal }
      const made = await runImport(path('access', 'import'), sheet, parameters, options)
      if (!made) throw new Error(texts.errors.unreadable)
      if (isPreview) setState({ name: 'previewed', run: made })
      else onDone(made)
    } catch (error) {
      if (stop.current !== controller) return
      const { aborted } = controller.signal
      setState({ name: 'ended', message: endedMessage(isPreview, aborted, progress, error) })
    }
    if (!isPreview) await refetch()
  }

  // The preview starts with the page, and whatever runs is stopped when the page is left.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once.
  useEffect(() => {
    void run(true, { dry_run: true })
    return () => {
      const running = stop.current
      stop.current = undefined
      running?.abort()
    }
  }, [])
  return {
    state,
    stop: () => stop.current?.abort(),
    go: (how: ImportEffects) => void run(false, { ...how }),
  }
}

/** Previews the import, then makes it. */
export function ImportStep(props: Props): ReactNode {
  const { sheet, reading, onBack } = props
  const { state, stop, go } = useRuns(props)
  if (state.name === 'running') {
    return (
      <Card title={state.isPreview ? words.checking : words.importing}>
        <ImportProgress
          label={state.isPreview ? words.checking : words.importing}
          progress={state.progress}
          onStop={stop}
        />
        {!state.isPreview && <p className="text-soft">{words.keepOpen}</p>}
      </Card>
    )
  }
  if (state.name === 'previewed') {
    return <PreviewCard sheet={sheet} reading={reading} run={state.run} onGo={go} onBack={onBack} />
  }
  return (
    <Card title={words.stopped}>
      <Notice tone="ending">
        <span role="status">{state.message}</span>
      </Notice>
      <div>
        <Button onClick={onBack}>{words.backToSettings}</Button>
      </div>
    </Card>
  )
}
