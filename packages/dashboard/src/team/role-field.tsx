import type { Role } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { RadioList } from '../components/forms/radio-list.tsx'
import { texts } from '../texts.ts'

const ROLES: readonly Role[] = ['owner', 'developer', 'support', 'reader']

interface Props {
  /** The roles to choose from; all by default. */
  roles?: readonly Role[]
  /** The permissions of each role, in words; those of members by default. */
  hints?: Readonly<Partial<Record<Role, string>>>
  value: string
  onChange: (role: string) => void
}

/** The roles, each with what it allows. */
export function RoleField({
  roles = ROLES,
  hints = texts.roleHints,
  value,
  onChange,
}: Props): ReactNode {
  const options = roles.map((role) => ({
    value: role,
    label: texts.roles[role],
    hint: hints[role],
  }))
  return <RadioList label={texts.team.role} options={options} value={value} onChange={onChange} />
}
