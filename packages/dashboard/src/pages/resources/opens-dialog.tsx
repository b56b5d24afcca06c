import type { OpensPreview, ResourceDetails } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keys, send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Checkbox } from '../../components/forms/checkbox.tsx'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { formDialog } from '../../components/forms/form-dialog.tsx'
import { TextAreaField } from '../../components/forms/text-field.tsx'
import { type Form, useForm } from '../../components/forms/use-form.ts'
import { useDebounced } from '../../components/use-debounced.ts'
import { ridToApiSegment } from '../../resource-path.ts'
import { texts } from '../../texts.ts'
import { useResourceOptions } from '../access/resource-options.ts'
import { useAfterSave } from './use-after-save.ts'

interface Props {
  onClose: () => void
  resource: ResourceDetails
}

/** One rid or beginning per line. The names are those of the server's errors. */
interface Values extends Record<string, string> {
  all: '' | 'yes'
  opens_rids: string
  opens_prefixes: string
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const opensOf = ({ all, opens_rids, opens_prefixes }: Values) => ({
  all: all === 'yes',
  rids: linesOf(opens_rids),
  prefixes: linesOf(opens_prefixes),
})

export const OpensDialog = formDialog(OpensForm, ({ resource }) =>
  texts.opens.dialogTitle(resource.name),
)

function OpensForm({ onClose, resource }: Props): ReactNode {
  const { path } = useAppScope()
  const afterSave = useAfterSave(onClose)
  const { rid, opens } = resource
  const address = path('resources', ridToApiSegment(rid), 'opens')
  const form = useForm<Values>(
    {
      all: opens.all ? 'yes' : '',
      opens_rids: opens.rids.join('\n'),
      opens_prefixes: opens.prefixes.join('\n'),
    },
    {
      send: async (values) => {
        await send('PUT', address, opensOf(values))
        await afterSave()
      },
    },
  )
  return (
    <DialogForm
      form={form}
      onClose={onClose}
      action={texts.common.save}
      summary={<Effect resource={resource} address={address} values={form.values} />}
    >
      <Checkbox
        {...texts.opens.everything}
        checked={form.values.all === 'yes'}
        onCheckedChange={(checked) => form.set('all', checked ? 'yes' : '')}
      />
      <ResourceChoice form={form} own={rid} />
      <TextAreaField
        {...form.field('opens_prefixes')}
        {...texts.opens.prefixes}
        rows={2}
        optional
      />
    </DialogForm>
  )
}

/** A list to choose from, or a field for their ids if there are too many resources. */
function ResourceChoice({ form, own }: { form: Form<Values>; own: string }): ReactNode {
  const { items, tooMany } = useResourceOptions()
  const chosen = linesOf(form.values.opens_rids)
  const others = (items ?? []).filter(({ rid }) => rid !== own)
  const isListed = chosen.every((rid) => others.some((one) => one.rid === rid))
  if (tooMany || (items && !isListed)) {
    return <TextAreaField {...form.field('opens_rids')} {...texts.opens.ids} rows={4} optional />
  }
  const toggle = (rid: string, isChosen: boolean) => {
    const rest = chosen.filter((one) => one !== rid)
    form.set('opens_rids', (isChosen ? [...rest, rid] : rest).join('\n'))
  }
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">{texts.opens.chosen}</legend>
      {others.length === 0 && <p className="text-soft">{texts.opens.noOthers}</p>}
      <div className="grid max-h-48 gap-2 overflow-y-auto p-2">
        {others.map(({ rid, name }) => (
          <Checkbox
            key={rid}
            label={name}
            checked={chosen.includes(rid)}
            onCheckedChange={(checked) => toggle(rid, checked)}
          />
        ))}
      </div>
    </fieldset>
  )
}

const PAUSE_MS = 300

interface EffectProps {
  resource: ResourceDetails
  address: string
  values: Values
}

/** Says how many readers gain and lose something, while it is typed. */
function Effect({ resource, address, values }: EffectProps): ReactNode {
  const { environment, aid } = useAppScope()
  const typed = useDebounced(JSON.stringify(opensOf(values)), PAUSE_MS)
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'opens', resource.rid, typed),
    queryFn: () => send<OpensPreview>('PUT', address, { ...JSON.parse(typed), dry_run: true }),
    retry: false,
  })
  return <span aria-live="polite">{data && texts.opens.effect(resource.name, data)}</span>
}
