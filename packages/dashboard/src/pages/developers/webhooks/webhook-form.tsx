import type { EventTypeItem, WebhookItem, WebhookWithSecret } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { fieldError, get, keys, send } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { Checkbox } from '../../../components/forms/checkbox.tsx'
import { DialogForm } from '../../../components/forms/dialog-form.tsx'
import { formDialog } from '../../../components/forms/form-dialog.tsx'
import { optionsOf } from '../../../components/forms/select.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { TextField, UrlField } from '../../../components/forms/text-field.tsx'
import { required, useForm } from '../../../components/forms/use-form.ts'
import { texts } from '../../../texts.ts'

const words = texts.webhooks

const ACCESS_ONLY = 'user.access_changed'

interface Props {
  onClose: () => void
  /** The endpoint to edit; none creates one. */
  webhook?: WebhookItem | undefined
  /** The secret is given for a new one. */
  onSaved: (webhook: WebhookItem, secret: string | undefined) => Promise<unknown>
}

/** The kinds of events that there are. */
export function useEventTypes(): readonly EventTypeItem[] {
  const { environment, aid, path } = useAppScope()
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'event-types'),
    queryFn: ({ signal }) => get<{ data: EventTypeItem[] }>(path('event-types'), {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data?.data ?? []
}

function modeOf(types: readonly string[]): keyof typeof words.chosen {
  if (types.includes('*')) return 'all'
  return types.length === 1 && types[0] === ACCESS_ONLY ? 'access' : 'some'
}

/** The types that the form stands for. Boxes show the types that a wildcard covers. */
function expand(types: readonly string[], known: readonly EventTypeItem[]): string[] {
  const covers = (pattern: string, type: string) =>
    pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))
  return known.map(({ type }) => type).filter((type) => types.some((one) => covers(one, type)))
}

function WebhookForm({ webhook, onClose, onSaved }: Props): ReactNode {
  const { path } = useAppScope()
  const known = useEventTypes()
  const [chosen, setChosen] = useState<readonly string[]>(webhook?.types ?? [])
  const initial = {
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    types: modeOf(webhook?.types ?? ['*']) as string,
  }
  const form = useForm(initial, {
    check: ({ url }) => ({ url: required(url) }),
    async send({ url, description, types: mode }) {
      const types = { all: ['*'], access: [ACCESS_ONLY] }[mode] ?? [...chosen]
      if (types.length === 0) throw fieldError(400, 'types', words.chooseOne)
      const body = { url, description, types }
      if (webhook) {
        await onSaved(
          await send<WebhookItem>('PATCH', path('webhooks', webhook.id), body),
          undefined,
        )
      } else {
        const made = await send<WebhookWithSecret>('POST', path('webhooks'), body)
        await onSaved(made.webhook, made.secret)
      }
      onClose()
    },
  })
  return (
    <DialogForm
      form={form}
      onClose={onClose}
      action={webhook ? words.save : words.create}
      summary={webhook ? undefined : words.createSummary}
    >
      <UrlField {...form.field('url')} {...words.url} />
      <TextField {...form.field('description')} {...words.description} optional />
      <SelectField
        label={words.events}
        options={optionsOf(words.chosen)}
        {...form.field('types')}
      />
      {form.values.types === 'some' && (
        <TypeBoxes known={known} chosen={expand(chosen, known)} onChange={setChosen} />
      )}
    </DialogForm>
  )
}

function TypeBoxes(props: {
  known: readonly EventTypeItem[]
  chosen: readonly string[]
  onChange: (types: readonly string[]) => void
}): ReactNode {
  const { known, chosen, onChange } = props
  return (
    <fieldset className="grid max-h-64 gap-2 overflow-y-auto rounded-lg border border-line p-3">
      <legend className="sr-only">{words.events}</legend>
      {known.map(({ type, description }) => (
        <Checkbox
          key={type}
          label={type}
          hint={description}
          checked={chosen.includes(type)}
          onCheckedChange={(checked) =>
            onChange(checked ? [...chosen, type] : chosen.filter((one) => one !== type))
          }
        />
      ))}
    </fieldset>
  )
}

export const WebhookFormDialog = formDialog(WebhookForm, ({ webhook }) =>
  webhook ? words.editTitle : words.createTitle,
)
