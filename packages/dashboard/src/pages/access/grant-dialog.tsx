import { type AccessItem, dayAt, type GrantPreview } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Checkbox } from '../../components/forms/checkbox.tsx'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { Field } from '../../components/forms/field.tsx'
import { SelectField } from '../../components/forms/select-field.tsx'
import { EmailField, TextAreaField, TextField } from '../../components/forms/text-field.tsx'
import { LiteralInput } from '../../components/forms/text-input.tsx'
import { emailProblem, type Form, required, useForm } from '../../components/forms/use-form.ts'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { useNow, useTimeZone } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { personLabel } from './access-labels.ts'
import { dateProblem, describeEnd, type EndChoice, endOfChoice } from './end-choice.ts'
import { EndFields } from './end-fields.tsx'
import { REFERENCE_ERRORS, withFieldError } from './field-error.ts'
import { GrantPreviewNotice, useGrantPreview } from './grant-preview.tsx'
import { toOptions, useResourceOptions } from './resource-options.ts'
import { useRefetch, useUndo } from './use-refetch.ts'

/** Values to start with. */
export interface GrantPreset {
  rid?: string
  email?: string
}

interface Props {
  preset?: GrantPreset
  onClose: () => void
}

/** Grants access to one person. */
export function GrantDialog({ preset = {}, onClose }: Props): ReactNode {
  return (
    <Dialog open onClose={onClose} title={texts.access.grant}>
      <GrantForm preset={preset} onClose={onClose} />
    </Dialog>
  )
}

const BLANK = {
  ...{ rid: '', email: '', end: 'never', date: '', user_ref: '' },
  ...{ first_name: '', last_name: '', tags: '', message: '' },
}
type Values = typeof BLANK

/** When a grant begins. Fixed when the dialog opens, so that the grant does exactly what the preview showed. */
interface Start {
  /** In milliseconds. */
  now: number
  /** The time zone of the application, and the day there. */
  zone: string
  today: string
}

function useStart(): Start {
  const zone = useTimeZone()
  const [now] = useState(useNow())
  return { now, zone, today: dayAt(zone, now / 1000) }
}

const problemsOf = (values: Values, { today }: Start) => ({
  rid: required(values.rid),
  email: emailProblem(values.email),
  date: dateProblem(values, today),
})

/** What to do before the grant can be previewed. */
function fillInText(values: Values, start: Start): string {
  const { rid, email, date } = problemsOf(values, start)
  const isDateAlone = rid === undefined && email === undefined && date !== undefined
  return isDateAlone ? texts.access.fillInDay : texts.access.fillIn
}

/** The request body; undefined while something is missing or wrong. Times are whole minutes, so that the same values give the
 * same request a moment later. */
function toGrant(values: Values, notify: boolean, start: Start) {
  const { end, date, ...given } = values
  const from = Math.floor(start.now / 60_000) * 60
  const expires = endOfChoice(end as EndChoice, date, from, start.zone)
  const isWrong = Object.values(problemsOf(values, start)).some((text) => text !== undefined)
  if (isWrong || expires === undefined) return undefined
  const filled = Object.entries(given).map(([name, text]) => [name, text.trim()])
  return { ...Object.fromEntries(filled.filter(([, text]) => text !== '')), expires, notify }
}

function useGrantToast(): (row: AccessItem, preview: GrantPreview | undefined) => void {
  const { path } = useAppScope()
  const zone = useTimeZone()
  const undo = useUndo()
  return (row, preview) => {
    const end = describeEnd(row.expires, zone)
    const done = texts.access.granted(personLabel(row), row.resource_name, end)
    const mail = preview && preview.mail !== 'none' ? ` ${texts.access.mails[preview.mail]}` : ''
    const takeBack = () => send('POST', path('access', row.id, 'revoke'), { refund: false })
    toast(`${done}${mail}`, preview?.outcome === 'new' ? { undo: undo(takeBack) } : {})
  }
}

function GrantForm({ preset, onClose }: Required<Props>): ReactNode {
  const { path } = useAppScope()
  const start = useStart()
  const [notify, setNotify] = useState(true)
  const refresh = useRefetch()
  const toastGranted = useGrantToast()
  const form = useForm<Values>(
    { ...BLANK, rid: preset.rid ?? '', email: preset.email ?? '' },
    {
      check: (values) => problemsOf(values, start),
      send: async (values) => {
        const grant = toGrant(values, notify, start)
        const granting = send<AccessItem>('POST', path('access', 'grant'), grant)
        const row = await withFieldError(granting, 'user_ref', REFERENCE_ERRORS)
        toastGranted(row, preview.preview)
        onClose()
        await refresh()
      },
    },
  )
  const preview = useGrantPreview(toGrant(form.values, notify, start))
  return (
    <DialogForm
      form={form}
      onClose={onClose}
      action={texts.access.grant}
      summary={<GrantPreviewNotice state={preview} fillIn={fillInText(form.values, start)} />}
    >
      <ResourceField form={form} />
      <EmailField {...form.field('email')} label={texts.access.email} />
      <EndFields
        form={form}
        label={texts.access.end}
        choices={texts.access.ends}
        firstDay={start.today}
      />
      <MoreFields form={form} />
      <Checkbox label={texts.access.notify} checked={notify} onCheckedChange={setNotify} />
    </DialogForm>
  )
}

function ResourceField({ form }: { form: Form<Values> }): ReactNode {
  const { items, tooMany } = useResourceOptions()
  const error = form.errorOf('rid')
  const [first, second] = items ?? []
  const only = second === undefined ? first?.rid : undefined
  const { set } = form
  const isUnset = form.values.rid === ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: preselected once; the user may clear it.
  useEffect(() => {
    if (only !== undefined && isUnset) set('rid', only)
  }, [only])
  if (tooMany) {
    return (
      <Field label={texts.access.resource} hint={texts.access.ridHint} error={error}>
        <LiteralInput {...form.bind('rid')} />
      </Field>
    )
  }
  const known = toOptions(items ?? [])
  const own = form.values.rid
  // Keeps a resource that is not in the list, perhaps archived since: the server reports that.
  const extra =
    own === '' || known.some(({ value }) => value === own) ? [] : [{ value: own, label: own }]
  const options = [{ value: '', label: texts.access.chooseResource }, ...extra, ...known]
  return (
    <SelectField
      label={texts.access.resource}
      error={error}
      options={options}
      {...form.bind('rid')}
    />
  )
}

/** Rarely used fields. */
function MoreFields({ form }: { form: Form<Values> }): ReactNode {
  const { access } = texts
  const names = ['user_ref', 'first_name', 'last_name', 'tags', 'message'] as const
  const wrong = names.some((name) => form.errorOf(name) !== undefined)
  const section = useRef<HTMLDetailsElement>(null)
  // Opens the section at an error, and leaves closing it to the user: it must not close while the error is corrected.
  useEffect(() => {
    if (wrong && section.current) section.current.open = true
  }, [wrong])
  return (
    <details ref={section} className="rounded-lg border border-line">
      <summary className="rounded-lg px-3 py-2 text-soft hover:text-ink">{access.more}</summary>
      <div className="grid gap-4 border-t border-line p-3">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField {...form.field('first_name')} label={access.firstName} optional />
          <TextField {...form.field('last_name')} label={access.lastName} optional />
        </div>
        <TextField {...form.field('user_ref')} {...access.userRef} optional />
        <TextField {...form.field('tags')} {...access.tags} optional />
        <TextAreaField {...form.field('message')} {...access.message} optional rows={3} />
      </div>
    </details>
  )
}
