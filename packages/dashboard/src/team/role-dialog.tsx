import type { Role, TeamMember } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { keys, send } from '../api.ts'
import { DialogForm } from '../components/forms/dialog-form.tsx'
import { formDialog } from '../components/forms/form-dialog.tsx'
import { useForm } from '../components/forms/use-form.ts'
import { toast } from '../components/overlays/toast.tsx'
import { queryClient } from '../query-client.ts'
import { texts } from '../texts.ts'
import { RoleField } from './role-field.tsx'

interface Props {
  onClose: () => void
  member: TeamMember
}

export const RoleDialog = formDialog(RoleForm, ({ member }) => texts.team.roleTitle(member.name))

async function setRole({ id, name }: TeamMember, role: string): Promise<void> {
  await send('PATCH', `/team/${id}`, { role })
  // Refetches `me` as well: a member may change their own role.
  await queryClient.invalidateQueries({ queryKey: keys.staff('team') })
  await queryClient.invalidateQueries({ queryKey: keys.me })
  toast(texts.team.roleChanged(name, texts.roles[role as Role]))
}

function RoleForm({ onClose, member }: Props): ReactNode {
  const form = useForm(
    { role: member.role as string },
    {
      send: async ({ role }) => {
        await setRole(member, role)
        onClose()
      },
    },
  )
  return (
    <DialogForm
      form={form}
      onClose={onClose}
      action={texts.team.changeRole}
      disabled={form.values.role === member.role}
    >
      <RoleField value={form.values.role} onChange={(role) => form.set('role', role)} />
    </DialogForm>
  )
}
