import { DEVELOPERS } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import { CopyPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { buttonClass } from '../../components/button.tsx'
import { useApplication, useHasRole } from '../../frame/me.ts'
import { texts } from '../../texts.ts'

/** Leads to the page that copies resources to the other environment, for those who may. */
export function CopyLink(): ReactNode {
  const { environment, path } = useAppScope()
  const canCopy = useHasRole(DEVELOPERS)
  const isArchived = useApplication()?.archived ?? false
  if (!canCopy || isArchived) return null
  const other = environment === 'production' ? 'sandbox' : 'production'
  return (
    <Link to={path('settings', 'copy')} className={buttonClass()}>
      <CopyPlus size={16} aria-hidden />
      {texts.copying.link(other)}
    </Link>
  )
}
