import type { AccessItem } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { send } from '../../api.ts'
import { type AppScope, useAppScope } from '../../app-scope.ts'
import { Notice } from '../../components/display/notice.tsx'
import { Checkbox } from '../../components/forms/checkbox.tsx'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { useForm } from '../../components/forms/use-form.ts'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { useNow, useTimeZone } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { personLabel } from './access-labels.ts'
import { dateProblem, describeEnd, type EndChoice, endOfChoice } from './end-choice.ts'
import { EndFields } from './end-fields.tsx'
import { useRefetch, useUndo } from './use-refetch.ts'

interface Props {
  /** At least one row; all of them can be extended. */
  rows: readonly AccessItem[]
  onClose: () => void
  onDone?: () => void
}

export function ExtendDialog({ rows, ...rest }: Props): ReactNode {
  const [first] = rows
  if (first === undefined) return null
  const title =
    rows.length === 1
      ? texts.access.extendTitle(personLabel(first), first.resource_name)
      : texts.access.extendMany(rows.length)
  return (
    <Dialog open onClose={rest.onClose} title={title}>
      <ExtendForm rows={rows} first={first} {...rest} />
    </Dialog>
  )
}

/** Extends from the current end, or from now if that has passed. */
const startOf = ({ expires }: AccessItem, now: number) =>
  Math.max(expires ?? 0, Math.floor(now / 1000))

const setEnd = ({ path }: AppScope, { id }: AccessItem, expires: number | null, notify = false) =>
  send<AccessItem>('POST', path('access', id, 'extend'), { expires, notify })

function ExtendForm({ rows, first, onClose, onDone }: Props & { first: AccessItem }): ReactNode {
  const scope = useAppScope()
  const [now] = useState(useNow())
  const zone = useTimeZone()
  const [notify, setNotify] = useState(false)
  const refresh = useRefetch()
  const undo = useUndo()

  async function extendAll({ end, date }: { end: string; date: string }) {
    const done: AccessItem[] = []
    const takeBack = async () => {
      for (const row of done) await setEnd(scope, row, row.expires)
    }
    try {
      for (const row of rows) {
        const expires = endOfChoice(end as EndChoice, date, startOf(row, now), zone)
        if (expires !== undefined) await setEnd(scope, row, expires, notify)
        done.push(row)
      }
    } finally {
      await refresh()
    }
    const own = endOfChoice(end as EndChoice, date, startOf(first, now), zone) ?? null
    const said =
      rows.length === 1
        ? texts.access.extended(personLabel(first), describeEnd(own, zone))
        : texts.access.extendedMany(done.length)
    toast(said, { undo: undo(takeBack) })
    onDone?.()
    onClose()
  }

  const form = useForm(
    { end: 'month', date: '' },
    {
      // A day in the past is accepted: it ends the access without revoking it, and the notice below says so.
      check: (values) => ({ date: dateProblem(values) }),
      send: extendAll,
    },
  )
  const { end, date } = form.values
  const endOf = (row: AccessItem) => endOfChoice(end as EndChoice, date, startOf(row, now), zone)
  return (
    <DialogForm
      form={form}
      onClose={onClose}
      action={texts.access.extend}
      summary={<Outcome rows={rows} endOf={endOf} now={now} />}
    >
      <EndFields form={form} label={texts.access.extendBy} choices={texts.access.longer} />
      {rows.length > 1 && end !== 'date' && end !== 'never' && (
        <p className="text-soft">{texts.access.extendEach}</p>
      )}
      <Checkbox label={texts.access.notify} checked={notify} onCheckedChange={setNotify} />
    </DialogForm>
  )
}

interface OutcomeProps {
  rows: readonly AccessItem[]
  endOf: (row: AccessItem) => ReturnType<typeof endOfChoice>
  /** In milliseconds. */
  now: number
}

/** Says when the access would end, and warns if that is sooner than its current end, or over already. */
function Outcome({ rows, endOf, now }: OutcomeProps): ReactNode {
  const zone = useTimeZone()
  const [first] = rows
  const next = first && endOf(first)
  const isSooner = rows.some((row) => {
    const end = endOf(row)
    return typeof end === 'number' && end < (row.expires ?? 0)
  })
  const isPast = typeof next === 'number' && next * 1000 < now
  return (
    <>
      {rows.length === 1 && first && next !== undefined && (
        <p aria-live="polite">
          {texts.access.extendFrom(describeEnd(first.expires, zone), describeEnd(next, zone))}
        </p>
      )}
      {(isSooner || isPast) && (
        <Notice tone="ending">{isPast ? texts.access.alreadyOver : texts.access.sooner}</Notice>
      )}
    </>
  )
}
