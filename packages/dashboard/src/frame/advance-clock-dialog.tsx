import type { MovedClock } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Notice } from '../components/display/notice.tsx'
import { Field } from '../components/forms/field.tsx'
import { SelectField } from '../components/forms/select-field.tsx'
import { TextInput } from '../components/forms/text-input.tsx'
import { useForm } from '../components/forms/use-form.ts'
import { Dialog, DialogButtons } from '../components/overlays/dialog.tsx'
import { toast } from '../components/overlays/toast.tsx'
import { formatMinute } from '../format.ts'
import { queryClient } from '../query-client.ts'
import { texts } from '../texts.ts'
import { useNow } from './me.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const STEPS: Record<keyof typeof texts.sandbox.steps, number> = {
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
  month: 31 * DAY,
  year: 365 * DAY,
}
const OPTIONS = Object.entries(STEPS).map(([name, seconds]) => ({
  value: String(seconds),
  label: texts.sandbox.steps[name as keyof typeof STEPS],
}))

interface Props {
  open: boolean
  onClose: () => void
}

export function AdvanceClockDialog({ open, onClose }: Props): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title={texts.sandbox.title} lead={texts.sandbox.hint}>
      <AdvanceForm onClose={onClose} />
    </Dialog>
  )
}

function AdvanceForm({ onClose }: { onClose: () => void }): ReactNode {
  const now = useNow('sandbox')
  // The value of a datetime input is in local time.
  const until = (to: string) => new Date(to).getTime()
  const form = useForm(
    { by: String(STEPS.day), to: '' },
    {
      check: ({ to }) => ({
        to: to !== '' && !(until(to) > now) ? texts.sandbox.later : undefined,
      }),
      send: async ({ by, to }) => {
        const body = to === '' ? { by: Number(by) } : { to: Math.floor(until(to) / 1000) }
        const moved = await send<MovedClock>('POST', '/sandbox/clock', body)
        const { renewed, subscriptions_ended, mails } = moved
        await queryClient.invalidateQueries()
        toast(
          texts.sandbox.done(formatMinute(moved.to * 1000), renewed, subscriptions_ended, mails),
        )
        onClose()
      },
    },
  )
  const { by, to } = form.values
  const target = to === '' ? now + Number(by) * 1000 : until(to)
  return (
    <form onSubmit={form.onSubmit} className="grid gap-4">
      <p>{texts.sandbox.now(formatMinute(now))}</p>
      <SelectField
        label={texts.sandbox.by}
        options={OPTIONS}
        {...form.bind('by')}
        disabled={to !== ''}
      />
      <Field label={texts.sandbox.to} optional error={form.errorOf('to')}>
        <TextInput type="datetime-local" {...form.bind('to')} />
      </Field>
      {target > now && <p aria-live="polite">{texts.sandbox.itWillBe(formatMinute(target))}</p>}
      {form.problem !== undefined && <Notice tone="failed">{form.problem}</Notice>}
      <DialogButtons>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button type="submit" variant="primary" busy={form.busy}>
          {texts.sandbox.go}
        </Button>
      </DialogButtons>
    </form>
  )
}
