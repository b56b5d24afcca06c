import type { WebhookItem, WebhookReplayPreview } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { get, keys, send } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { Field } from '../../../components/forms/field.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { TextInput } from '../../../components/forms/text-input.tsx'
import { errorMessage } from '../../../components/forms/use-form.ts'
import { ConfirmDialog } from '../../../components/overlays/confirm-dialog.tsx'
import { toast } from '../../../components/overlays/toast.tsx'
import { formatMinute } from '../../../format.ts'
import { useServerTime } from '../../../server-clock.ts'
import { texts } from '../../../texts.ts'

const words = texts.webhooks

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

type Mode = keyof typeof words.replayModes

const MODES = Object.entries(words.replayModes).map(([value, label]) => ({ value, label }))

/** Writes a time as a datetime input has it: in local time, to the minute. */
function toInput(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * MINUTE_MS)
  return local.toISOString().slice(0, 16)
}

interface Props {
  webhook: WebhookItem
  open: boolean
  onClose: () => void
  onStarted: () => Promise<unknown>
}

/** Asks for a time range, shows how many events it has, and sends them again. */
export function ReplayDialog({ open, ...props }: Props): ReactNode {
  return open && <ReplayQuestion {...props} />
}

function ReplayQuestion({ webhook, onClose, onStarted }: Omit<Props, 'open'>): ReactNode {
  const { path } = useAppScope()
  // Events are dated by real time, also in the sandbox.
  const now = useServerTime('production')
  const [from, setFrom] = useState(toInput(webhook.missed_from ?? now - DAY_MS))
  const [to, setTo] = useState(toInput(webhook.missed_to ?? now))
  const [mode, setMode] = useState<Mode>('failed')
  const range = readRange(from, to)
  const { events, effect } = useEffectText(webhook.id, range, mode)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.replayTitle}
      effect={words.replayLead}
      action={words.replayAction}
      variant="primary"
      disabled={range === undefined || !events}
      onConfirm={async () => {
        await send('POST', path('webhooks', webhook.id, 'replay'), { ...range, mode })
        await onStarted()
        toast(words.replayStarted)
      }}
    >
      <Field label={words.replayFrom}>
        <TextInput
          type="datetime-local"
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
      </Field>
      <Field label={words.replayTo} error={range === undefined ? words.replayOrder : undefined}>
        <TextInput
          type="datetime-local"
          value={to}
          onChange={({ target }) => setTo(target.value)}
        />
      </Field>
      <SelectField
        label={words.replayMode}
        options={MODES}
        value={mode}
        onChange={({ target }) => setMode(target.value as Mode)}
      />
      <p aria-live="polite" className="min-h-6">
        {effect}
      </p>
    </ConfirmDialog>
  )
}

interface Range {
  from: number
  to: number
}

/** The whole of the last minute belongs to the range. */
function readRange(from: string, to: string): Range | undefined {
  const range = { from: new Date(from).getTime(), to: new Date(to).getTime() + MINUTE_MS - 1 }
  return range.from <= range.to ? range : undefined
}

/** Counts what a replay would send, and says it. */
function useEffectText(id: string, range: Range | undefined, mode: Mode) {
  const { environment, aid, path } = useAppScope()
  const asked = { ...range, mode }
  const { data, error } = useQuery({
    queryKey: keys.of(environment, aid, 'webhooks', id, 'replay', asked),
    queryFn: ({ signal }) =>
      get<WebhookReplayPreview>(path('webhooks', id, 'replay'), asked, signal),
    enabled: range !== undefined,
    gcTime: 0,
    retry: false,
  })
  if (error) return { events: 0, effect: errorMessage(error) }
  if (!data || range === undefined) return { events: 0, effect: '' }
  const { events, oldest_at, newest_at } = data
  if (oldest_at === null || newest_at === null) return { events: 0, effect: words.replayNone }
  const effect = words.replayEffect(events, formatMinute(oldest_at), formatMinute(newest_at))
  return { events, effect }
}
