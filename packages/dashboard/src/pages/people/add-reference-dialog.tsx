import type { ReactNode } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { formDialog } from '../../components/forms/form-dialog.tsx'
import { TextField } from '../../components/forms/text-field.tsx'
import { required, useForm } from '../../components/forms/use-form.ts'
import { toast } from '../../components/overlays/toast.tsx'
import { texts } from '../../texts.ts'
import { REFERENCE_ERRORS, withFieldError } from '../access/field-error.ts'
import { useRefetch } from '../access/use-refetch.ts'
import type { PersonDialogProps } from './person-dialog.ts'
import { personTitle } from './person-labels.ts'

/** Adds another reference by which the publisher's site knows the person. */
export const AddReferenceDialog = formDialog(ReferenceForm, ({ details }) =>
  texts.people.addRefTitle(personTitle(details.person)),
)

function ReferenceForm({ details, onClose }: PersonDialogProps): ReactNode {
  const { path } = useAppScope()
  const refresh = useRefetch()
  const form = useForm(
    { ref: '' },
    {
      check: ({ ref }) => ({ ref: required(ref) }),
      send: async ({ ref }) => {
        const adding = send('POST', path('people', details.person.uid, 'refs'), { ref: ref.trim() })
        await withFieldError(adding, 'ref', REFERENCE_ERRORS)
        toast(texts.people.refAdded(ref.trim()))
        onClose()
        await refresh()
      },
    },
  )
  return (
    <DialogForm form={form} onClose={onClose} action={texts.common.add}>
      <TextField
        {...form.field('ref')}
        label={texts.access.userRef.label}
        hint={texts.people.addRefHint}
        spellCheck={false}
      />
    </DialogForm>
  )
}
