import type { ReactNode } from 'react'
import type { PersonDetails } from '../../../../server/src/http/dashboard/people/schemas.ts'
import { send } from '../../api.ts'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { Field } from '../../parts/forms/field.tsx'
import { TextInput } from '../../parts/forms/text-input.tsx'
import { required, useForm } from '../../parts/forms/use-form.ts'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { toast } from '../../parts/overlays/toast.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { atField, REF_TAKEN } from '../access/at-field.ts'
import { useRefresh } from '../access/use-refresh.ts'
import { titleOf } from './names.ts'

interface Props {
  details: PersonDetails
  onClose: () => void
}

/** Adds another reference by which the publisher's site knows the person. */
export function ReferenceDialog({ details, onClose }: Props): ReactNode {
  return (
    <Dialog open onClose={onClose} title={texts.people.addRefTitle(titleOf(details.person))}>
      <ReferenceForm details={details} onClose={onClose} />
    </Dialog>
  )
}

function ReferenceForm({ details, onClose }: Props): ReactNode {
  const { path } = usePlace()
  const refresh = useRefresh()
  const form = useForm(
    { ref: '' },
    {
      check: ({ ref }) => ({ ref: required(ref) }),
      send: async ({ ref }) => {
        const adding = send('POST', path('people', details.person.uid, 'refs'), { ref: ref.trim() })
        await atField(adding, 'ref', REF_TAKEN)
        toast(texts.people.refAdded(ref.trim()))
        onClose()
        await refresh()
      },
    },
  )
  return (
    <DialogForm form={form} onClose={onClose} action={texts.common.add}>
      <Field
        label={texts.access.userRef}
        hint={texts.people.addRefHint}
        error={form.errorOf('ref')}
      >
        <TextInput autoComplete="off" spellCheck={false} {...form.bind('ref')} />
      </Field>
    </DialogForm>
  )
}
