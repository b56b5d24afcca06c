import type { Role } from '@gatehouse/server/dashboard-api'
import { RadioGroup } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { texts } from '../texts.ts'

const ROLES: readonly Role[] = ['owner', 'developer', 'support', 'reader']

interface Props {
  /** Those to choose from; all by default. */
  roles?: readonly Role[]
  /** What each role allows; for members by default. */
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
  const id = useId()
  return (
    <RadioGroup.Root
      value={value}
      onValueChange={onChange}
      aria-label={texts.team.role}
      className="grid divide-y divide-line rounded-lg border border-line"
    >
      {roles.map((role) => (
        <div key={role} className="flex gap-2.5 p-3">
          <RadioGroup.Item
            value={role}
            id={`${id}-${role}`}
            aria-describedby={`${id}-${role}-hint`}
            className="mt-0.5 grid size-4 shrink-0 place-items-center rounded-full border border-edge bg-card data-[state=checked]:border-accent"
          >
            <RadioGroup.Indicator className="size-2 rounded-full bg-accent" />
          </RadioGroup.Item>
          <div>
            <label htmlFor={`${id}-${role}`} className="font-medium">
              {texts.roles[role]}
            </label>
            <p id={`${id}-${role}-hint`} className="text-soft">
              {hints[role]}
            </p>
          </div>
        </div>
      ))}
    </RadioGroup.Root>
  )
}
