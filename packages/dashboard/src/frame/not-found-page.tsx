import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from '../components/button.tsx'
import { EmptyState } from '../components/display/empty-state.tsx'
import { texts } from '../texts.ts'

/** For an unknown path, or an application that no longer exists. */
export function NotFoundPage(): ReactNode {
  return (
    <>
      <h1 className="sr-only">{texts.errors.notFoundTitle}</h1>
      <EmptyState
        icon={SearchX}
        title={texts.errors.notFoundTitle}
        action={
          <Link to="/" className={buttonClass('primary')}>
            {texts.errors.toStart}
          </Link>
        }
      >
        {texts.errors.notFound}
      </EmptyState>
    </>
  )
}
