import { CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/display/empty-state.tsx'
import { problemOf } from '../parts/forms/use-form.ts'
import { texts } from '../texts.ts'

/** Replaces a page that failed to load or render. */
export function Broken({ error }: { error: unknown }): ReactNode {
  return (
    <div role="alert">
      <h1 className="sr-only">{texts.errors.title}</h1>
      <EmptyState
        icon={CircleX}
        title={texts.errors.title}
        action={
          <Button look="primary" onClick={() => location.reload()}>
            {texts.errors.reload}
          </Button>
        }
      >
        {error instanceof ApiError ? problemOf(error) : texts.errors.page}
      </EmptyState>
    </div>
  )
}
