import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { texts } from '../../texts.ts'
import { buttonClass } from '../button.tsx'
import { EmptyState } from './empty-state.tsx'

interface Props {
  icon: LucideIcon
  words: { emptyTitle: string; empty: string }
}

/** For a list that fills once resources are sold or delivered: leads to the resources. */
export function EmptyUntilSold({ icon, words }: Props): ReactNode {
  const { path } = useAppScope()
  const action = (
    <Link to={path('resources')} className={buttonClass('primary')}>
      {texts.records.toResources}
    </Link>
  )
  return (
    <EmptyState icon={icon} title={words.emptyTitle} action={action}>
      {words.empty}
    </EmptyState>
  )
}
