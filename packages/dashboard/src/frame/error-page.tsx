import { CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '../api.ts'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/display/empty-state.tsx'
import { errorMessage } from '../components/forms/use-form.ts'
import { texts } from '../texts.ts'

/** Replaces a page that failed to load or render. */
export function ErrorPage({ error }: { error: unknown }): ReactNode {
  return (
    <div role="alert">
      <h1 className="sr-only">{texts.errors.title}</h1>
      <EmptyState
        icon={CircleX}
        title={texts.errors.title}
        action={
          <Button variant="primary" onClick={() => location.reload()}>
            {texts.errors.reload}
          </Button>
        }
      >
        {error instanceof ApiError ? errorMessage(error) : texts.errors.page}
      </EmptyState>
    </div>
  )
}
