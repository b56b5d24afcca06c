import { type ReactNode, useState } from 'react'
import type { AccessItem } from '../../../../server/src/http/dashboard/access/schemas.ts'
import { send } from '../../api.ts'
import { useNow } from '../../frame/me.ts'
import { Notice } from '../../parts/display/notice.tsx'
import { Checkbox } from '../../parts/forms/checkbox.tsx'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { toast } from '../../parts/overlays/toast.tsx'
import { type Place, usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { personOf } from './access-labels.ts'
import { dateProblem, EndFields } from './end-fields.tsx'
import { type EndChoice, endFrom, tellEnd } from './ends.ts'
import { useRefresh, useUndo } from './use-refresh.ts'

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
      ? texts.access.extendTitle(personOf(first), first.resource_name)
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

const setEnd = ({ path }: Place, { id }: AccessItem, expires: number | null, notify = false) =>
  send<AccessItem>('POST', path('access', id, 'extend'), { expires, notify })

function ExtendForm({ rows, first, onClose, onDone }: Props & { first: AccessItem }): ReactNode {
  const place = usePlace()
  const [now] = useState(useNow())
  const [notify, setNotify] = useState(false)
  const refresh = useRefresh()
  const undo = useUndo()

  async function extendAll({ end, date }: { end: string; date: string }) {
    const done: AccessItem[] = []
    const takeBack = async () => {
      for (const row of done) await setEnd(place, row, row.expires)
    }
    try {
      for (const row of rows) {
        const expires = endFrom(end as EndChoice, date, startOf(row, now))
        if (expires !== undefined) await setEnd(place, row, expires, notify)
        done.push(row)
      }
    } finally {
      await refresh()
    }
    const own = endFrom(end as EndChoice, date, startOf(first, now)) ?? null
    const said =
      rows.length === 1
        ? texts.access.extended(personOf(first), tellEnd(own))
        : texts.access.extendedMany(done.length)
    toast(said, { undo: undo(takeBack) })
    onDone?.()
    onClose()
  }

  const form = useForm(
    { end: 'month', date: '' },
    { check: (values) => ({ date: dateProblem(values) }), send: extendAll },
  )
  const { end, date } = form.values
  const next = endFrom(end as EndChoice, date, startOf(first, now))
  const sooner = rows.some((row) => {
    const own = endFrom(end as EndChoice, date, startOf(row, now))
    return typeof own === 'number' && own < (row.expires ?? 0)
  })
  return (
    <DialogForm form={form} onClose={onClose} action={texts.access.extend}>
      <EndFields form={form} label={texts.access.extendBy} choices={texts.access.longer} />
      {rows.length > 1 && end !== 'date' && end !== 'never' && (
        <p className="text-soft">{texts.access.extendEach}</p>
      )}
      {rows.length === 1 && next !== undefined && (
        <p aria-live="polite">{texts.access.extendFrom(tellEnd(first.expires), tellEnd(next))}</p>
      )}
      {sooner && <Notice tone="ending">{texts.access.sooner}</Notice>}
      <Checkbox label={texts.access.notify} checked={notify} onCheckedChange={setNotify} />
    </DialogForm>
  )
}
