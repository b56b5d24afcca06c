import type { Role } from '@gatehouse/server/dashboard-api'
import { LockKeyhole } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { EmptyState } from '../components/display/empty-state.tsx'
import { texts } from '../texts.ts'
import { useMe } from './me.ts'

/** Shows the page to members who may see it, and an explanation to others. The server enforces this anyway. */
export function RestrictedPage({
  to,
  page: Shown,
}: {
  to: readonly Role[]
  page: ComponentType
}): ReactNode {
  const { role } = useMe().staff
  if (to.includes(role)) return <Shown />
  return (
    <>
      <h1 className="sr-only">{texts.errors.notAllowedTitle}</h1>
      <EmptyState icon={LockKeyhole} title={texts.errors.notAllowedTitle}>
        {texts.errors.notAllowed(texts.roles[role])}
      </EmptyState>
    </>
  )
}
