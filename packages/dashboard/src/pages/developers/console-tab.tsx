import { Send } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { ConsoleAnswer } from '../../../../server/src/http/dashboard/developers/schemas.ts'
import { ApiError, keys, send } from '../../api.ts'
import { useApplication } from '../../frame/me.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/display/card.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Notice } from '../../parts/display/notice.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { Checkbox } from '../../parts/forms/checkbox.tsx'
import { problemOf } from '../../parts/forms/use-form.ts'
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx'
import { usePlace } from '../../place.ts'
import { queryClient } from '../../query-client.ts'
import { texts } from '../../texts.ts'
import { ConsoleAnswerCard, problemIn } from './console-answer.tsx'
import { ConsoleFields } from './console-fields.tsx'
import { type Call, useCalls } from './contract.ts'
import { FREE_WISH, requestOf, type Wish, withCall } from './wish.ts'

export function ConsoleTab(): ReactNode {
  const { environment } = usePlace()
  const { calls, isError } = useCalls(environment)
  if (calls === undefined && !isError) return <Skeleton lines={6} />
  return <Console calls={calls ?? []} />
}

/** The outcome of the last request. */
interface Outcome {
  answer?: ConsoleAnswer
  /** Errors by field name. */
  errors: Readonly<Record<string, string>>
  problem?: string
}

const NOTHING: Outcome = { errors: {} }

function outcomeOf(error: unknown): Outcome {
  const { field } = error instanceof ApiError ? error : {}
  if (field === 'path') return { errors: { path: problemOf(error) } }
  return { errors: {}, problem: problemOf(error) }
}

function useConsole(wish: Wish, whole: boolean) {
  const { environment, aid, path } = usePlace()
  const [outcome, setOutcome] = useState(NOTHING)
  const [busy, setBusy] = useState(false)
  async function run() {
    setBusy(true)
    try {
      const body = { ...requestOf(wish), reveal: whole }
      const answer = await send<ConsoleAnswer>('POST', path('console'), body)
      setOutcome({ answer, errors: problemIn(answer) })
      // This was a real API request, signed with a key, which may have changed anything.
      await queryClient.invalidateQueries({ queryKey: keys.of(environment, aid) })
    } catch (error) {
      setOutcome(outcomeOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { outcome, clear: () => setOutcome(NOTHING), busy, run }
}

function Console({ calls }: { calls: readonly Call[] }): ReactNode {
  const { environment } = usePlace()
  const archived = useApplication()?.archived ?? false
  const [wish, setWish] = useState(() => withCall(FREE_WISH, calls[0]))
  const [whole, setWhole] = useState(false)
  const [asking, setAsking] = useState(false)
  const { outcome, clear, busy, run } = useConsole(wish, whole)
  const isReal = environment === 'production' && wish.method === 'POST'
  // Clears the response of the previous call, which would be misleading.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the call changes.
  useEffect(clear, [wish.call?.id])

  function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    if (isReal) setAsking(true)
    else void run()
  }

  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Card title={texts.developers.consoleTitle} lead={texts.developers.consoleLead}>
        {calls.length === 0 && <Notice tone="ending">{texts.developers.noContract}</Notice>}
        <form onSubmit={submit} noValidate className="grid gap-4">
          <ConsoleFields calls={calls} wish={wish} onChange={setWish} errors={outcome.errors} />
          <Checkbox
            label={texts.developers.whole}
            hint={texts.developers.wholeHint}
            checked={whole}
            onCheckedChange={setWhole}
          />
          {isReal && <Notice tone="ending">{texts.developers.real}</Notice>}
          {outcome.problem !== undefined && <Notice tone="failed">{outcome.problem}</Notice>}
          <div>
            <Button type="submit" look="primary" icon={Send} busy={busy} disabled={archived}>
              {texts.developers.send}
            </Button>
          </div>
        </form>
      </Card>
      {outcome.answer ? (
        <ConsoleAnswerCard answer={outcome.answer} />
      ) : (
        <div className="rounded-xl border border-dashed border-line">
          <EmptyState icon={Send} title={texts.developers.emptyTitle}>
            {texts.developers.empty}
          </EmptyState>
        </div>
      )}
      <RealDialog wish={wish} open={asking} onClose={() => setAsking(false)} onConfirm={run} />
    </div>
  )
}

interface RealProps {
  wish: Wish
  open: boolean
  onClose: () => void
  onConfirm: () => Promise<void>
}

function RealDialog({ wish, open, onClose, onConfirm }: RealProps): ReactNode {
  const { method, path, parameters } = requestOf(wish)
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={texts.developers.realTitle(`${method} ${path}`)}
      effect={
        <>
          <p>{texts.developers.realEffect(wish.call?.summary ?? '')}</p>
          <p>{texts.developers.realCount(Object.keys(parameters).length)}</p>
        </>
      }
      action={texts.developers.send}
      onConfirm={onConfirm}
    />
  )
}
