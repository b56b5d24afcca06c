import type { Role, TeamMember } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { keys, send } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Notice } from '../components/display/notice.tsx'
import { useForm } from '../components/forms/use-form.ts'
import { Dialog, DialogButtons } from '../components/overlays/dialog.tsx'
import { toast } from '../components/overlays/toast.tsx'
import { queryClient } from '../query-client.ts'
import { texts } from '../texts.ts'
import { RoleField } from './role-field.tsx'

interface Props {
  open: boolean
  onClose: () => void
  member: TeamMember
}

export function RoleDialog({ open, onClose, member }: Props): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title={texts.team.roleTitle(member.name)}>
      <RoleForm onClose={onClose} member={member} />
    </Dialog>
  )
}

async function setRole({ id, name }: TeamMember, role: string): Promise<void> {
  await send('PATCH', `/team/${id}`, { role })
  // Refetches `me` as well: a member may change their own role.
  await queryClient.invalidateQueries({ queryKey: keys.staff('team') })
  await queryClient.invalidateQueries({ queryKey: keys.me })
  toast(texts.team.roleChanged(name, texts.roles[role as Role]))
}

function RoleForm({ onClose, member }: Omit<Props, 'open'>): ReactNode {
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
    <form onSubmit={form.onSubmit} className="grid gap-4">
      <RoleField value={form.values.role} onChange={(role) => form.set('role', role)} />
      {form.problem !== undefined && <Notice tone="failed">{form.problem}</Notice>}
      <DialogButtons>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button
          type="submit"
          variant="primary"
          busy={form.busy}
          disabled={form.values.role === member.role}
        >
          {texts.team.changeRole}
        </Button>
      </DialogButtons>
    </form>
  )
}
