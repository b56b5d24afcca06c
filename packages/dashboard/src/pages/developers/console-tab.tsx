import type { ConsoleResponse } from '@gatehouse/server/dashboard-api'
import { Send } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { ApiError, keys, send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/display/card.tsx'
import { EmptyState } from '../../components/display/empty-state.tsx'
import { Notice } from '../../components/display/notice.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { Checkbox } from '../../components/forms/checkbox.tsx'
import { errorMessage } from '../../components/forms/use-form.ts'
import { ConfirmDialog, type DialogState } from '../../components/overlays/confirm-dialog.tsx'
import { useApplication } from '../../frame/me.ts'
import { queryClient } from '../../query-client.ts'
import { texts } from '../../texts.ts'
import { ConsoleFields } from './console-fields.tsx'
import { ConsoleResponseCard, parameterErrors } from './console-response.tsx'
import { type ApiCall, useApiCalls } from './openapi.ts'
import { EMPTY_DRAFT, type RequestDraft, toRequest, withCall } from './request-draft.ts'

export function ConsoleTab(): ReactNode {
  const { environment } = useAppScope()
  const { calls, isError } = useApiCalls(environment)
  if (calls === undefined && !isError) return <Skeleton lines={6} />
  return <Console calls={calls ?? []} />
}

/** The outcome of the last request. */
interface Outcome {
  answer?: ConsoleResponse
  /** Errors by field name. */
  errors: Readonly<Record<string, string>>
  problem?: string
}

const NOTHING: Outcome = { errors: {} }

function outcomeOf(error: unknown): Outcome {
  const { field } = error instanceof ApiError ? error : {}
  if (field === 'path') return { errors: { path: errorMessage(error) } }
  return { errors: {}, problem: errorMessage(error) }
}

function useConsole(draft: RequestDraft, whole: boolean) {
  const { environment, aid, path } = useAppScope()
  const [outcome, setOutcome] = useState(NOTHING)
  const [busy, setBusy] = useState(false)
  async function run() {
    setBusy(true)
    try {
      const body = { ...toRequest(draft), reveal: whole }
      const answer = await send<ConsoleResponse>('POST', path('console'), body)
      setOutcome({ answer, errors: parameterErrors(answer) })
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

function Console({ calls }: { calls: readonly ApiCall[] }): ReactNode {
  const { environment } = useAppScope()
  const archived = useApplication()?.archived ?? false
  const [draft, setDraft] = useState(() => withCall(EMPTY_DRAFT, calls[0]))
  const [whole, setWhole] = useState(false)
  const [asking, setAsking] = useState(false)
  const { outcome, clear, busy, run } = useConsole(draft, whole)
  const isReal = environment === 'production' && draft.method === 'POST'
  // Clears the response of the previous call, which would be misleading.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the call changes.
  useEffect(clear, [draft.call?.id])

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
          <ConsoleFields calls={calls} draft={draft} onChange={setDraft} errors={outcome.errors} />
          <Checkbox
            label={texts.developers.whole}
            hint={texts.developers.wholeHint}
            checked={whole}
            onCheckedChange={setWhole}
          />
          {isReal && <Notice tone="ending">{texts.developers.real}</Notice>}
          {outcome.problem !== undefined && <Notice tone="failed">{outcome.problem}</Notice>}
          <div>
            <Button type="submit" variant="primary" icon={Send} busy={busy} disabled={archived}>
              {texts.developers.send}
            </Button>
          </div>
        </form>
      </Card>
      {outcome.answer ? (
        <ConsoleResponseCard answer={outcome.answer} />
      ) : (
        <div className="rounded-xl border border-dashed border-line">
          <EmptyState icon={Send} title={texts.developers.emptyTitle}>
            {texts.developers.empty}
          </EmptyState>
        </div>
      )}
      <RealDialog draft={draft} open={asking} onClose={() => setAsking(false)} onConfirm={run} />
    </div>
  )
}

interface RealProps extends DialogState {
  draft: RequestDraft
  onConfirm: () => Promise<void>
}

function RealDialog({ draft, ...rest }: RealProps): ReactNode {
  const { method, path, parameters } = toRequest(draft)
  return (
    <ConfirmDialog
      {...rest}
      title={texts.developers.realTitle(`${method} ${path}`)}
      effect={[
        texts.developers.realEffect(draft.call?.summary ?? ''),
        texts.developers.realCount(Object.keys(parameters).length),
      ]}
      action={texts.developers.send}
    />
  )
}
