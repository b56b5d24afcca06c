import type { NewTokenItem, Role } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../api.ts'
import { DialogForm } from '../components/forms/dialog-form.tsx'
import { formDialog } from '../components/forms/form-dialog.tsx'
import { SelectField } from '../components/forms/select-field.tsx'
import { TextField } from '../components/forms/text-field.tsx'
import { useForm } from '../components/forms/use-form.ts'
import { useMe } from '../frame/me.ts'
import { useServerTime } from '../server-clock.ts'
import { RoleField } from '../team/role-field.tsx'
import { texts } from '../texts.ts'
import { refreshTokens } from './token-row.tsx'

/** There are no owner tokens. */
const TOKEN_ROLES: readonly Role[] = ['developer', 'support', 'reader']

const DAY_MS = 86_400_000
const { lifetimes } = texts.tokens
/** Long enough that nobody is bothered, and a forgotten token still ends. */
const SUGGESTED_DAYS = '90'
const LIFETIMES = [
  { value: '30', label: lifetimes.month },
  { value: SUGGESTED_DAYS, label: lifetimes.quarter },
  { value: '365', label: lifetimes.year },
  { value: '', label: lifetimes.endless },
]

interface Props {
  onClose: () => void
  onMade: (made: NewTokenItem) => void
}

export const NewTokenDialog = formDialog(
  NewTokenForm,
  () => texts.tokens.createTitle,
  texts.tokens.createLead,
)

function NewTokenForm({ onClose, onMade }: Props): ReactNode {
  const { environments } = useMe()
  const now = useServerTime('production')
  const applications = environments.flatMap(({ name: environment, applications: own }) =>
    own
      .filter(({ archived }) => !archived)
      .map(({ aid, name }) => ({
        value: aid,
        label: `${name} (${texts.tokens.environments[environment]})`,
      })),
  )
  const form = useForm(
    { name: '', role: 'developer', aid: applications[0]?.value ?? '', days: SUGGESTED_DAYS },
    {
      check: ({ name }) => ({ name: name.trim() === '' ? texts.tokens.nameMissing : undefined }),
      send: async ({ name, role, aid, days }) => {
        const made = await send<NewTokenItem>('POST', '/tokens', {
          ...{ name: name.trim(), role, aid: aid === '' ? null : aid },
          ends_at: days === '' ? null : Math.floor(now) + Number(days) * DAY_MS,
        })
        await refreshTokens()
        onClose()
        onMade(made)
      },
    },
  )
  return (
    <DialogForm form={form} onClose={onClose} action={texts.tokens.create}>
      <TextField {...form.field('name')} {...texts.tokens.name} />
      <RoleField
        roles={TOKEN_ROLES}
        hints={texts.tokens.roleHints}
        value={form.values.role}
        onChange={(role) => form.set('role', role)}
      />
      <SelectField
        label={texts.tokens.application}
        options={[...applications, { value: '', label: texts.tokens.allApplications }]}
        value={form.values.aid}
        onChange={({ target }) => form.set('aid', target.value)}
      />
      <SelectField
        label={texts.tokens.lifetime}
        options={LIFETIMES}
        value={form.values.days}
        onChange={({ target }) => form.set('days', target.value)}
      />
    </DialogForm>
  )
}
