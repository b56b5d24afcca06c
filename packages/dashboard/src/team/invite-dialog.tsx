import type { NewLink } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { send } from '../api.ts'
import { DialogForm } from '../components/forms/dialog-form.tsx'
import { formDialog } from '../components/forms/form-dialog.tsx'
import { EmailField } from '../components/forms/text-field.tsx'
import { emailProblem, useForm } from '../components/forms/use-form.ts'
import { texts } from '../texts.ts'
import { refreshTeam } from './member-row.tsx'
import { RoleField } from './role-field.tsx'
import { StaffLinkDialog } from './staff-link-dialog.tsx'

interface Made {
  email: string
  link: NewLink
}

/** Asks whom to invite, then shows the link. */
export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const [made, setMade] = useState<Made>()
  return (
    <>
      <InviteFormDialog open={open} onClose={onClose} onMade={setMade} />
      <StaffLinkDialog
        link={made?.link}
        email={made?.email ?? ''}
        onClose={() => setMade(undefined)}
      />
    </>
  )
}

interface FormProps {
  onClose: () => void
  onMade: (made: Made) => void
}

const InviteFormDialog = formDialog(InviteForm, () => texts.team.inviteTitle, texts.team.inviteLead)

function InviteForm({ onClose, onMade }: FormProps): ReactNode {
  const form = useForm(
    { email: '', role: 'support' },
    {
      check: ({ email }) => ({ email: emailProblem(email) }),
      send: async (typed) => {
        const email = typed.email.trim()
        const link = await send<NewLink>('POST', '/team/invite', { email, role: typed.role })
        await refreshTeam()
        onMade({ email, link })
        onClose()
      },
    },
  )
  return (
    <DialogForm form={form} onClose={onClose} action={texts.team.makeLink}>
      <EmailField {...form.field('email')} label={texts.team.email} />
      <RoleField value={form.values.role} onChange={(role) => form.set('role', role)} />
    </DialogForm>
  )
}
