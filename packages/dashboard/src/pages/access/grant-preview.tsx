import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { GrantPreview } from '../../../../server/src/http/dashboard/access/schemas.ts'
import { keys, send } from '../../api.ts'
import { Notice } from '../../parts/display/notice.tsx'
import { problemOf } from '../../parts/forms/use-form.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { atField, REF_TAKEN } from './at-field.ts'
import { tellEnd } from './ends.ts'

/** Long enough that continuous typing causes only one request. */
const SETTLED_MS = 500

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

interface Foreseen {
  /** Undefined until it is loaded. */
  preview: GrantPreview | undefined
  error: Error | null
}

/** Previews what a grant would do; undefined for an incomplete request. */
export function useGrantPreview(wish: object | undefined): Foreseen {
  const { environment, aid, path } = usePlace()
  const asked = wish === undefined ? '' : JSON.stringify(wish)
  const settled = useSettled(asked)
  const { data, error } = useQuery({
    // Not under the keys of the application, which are refetched after each change: that would repeat the preview.
    queryKey: keys.staff('grant preview', environment, aid, settled),
    queryFn: () => {
      const body = { ...JSON.parse(settled), dry_run: true }
      const asking = send<GrantPreview>('POST', path('access', 'grant'), body)
      return atField(asking, 'user_ref', REF_TAKEN)
    },
    enabled: settled !== '' && settled === asked,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return settled === asked && asked !== ''
    ? { preview: data, error }
    : { preview: undefined, error: null }
}

function tellOutcome({ outcome, expires, expires_before }: GrantPreview): string {
  const end = tellEnd(expires)
  switch (outcome) {
    case 'extended':
    case 'shortened':
      return texts.access.outcomes[outcome](end, tellEnd(expires_before))
    default:
      return texts.access.outcomes[outcome](end)
  }
}

/** Describes what the button will do before it is pressed. */
export function GrantForeseen({ preview, error }: Foreseen): ReactNode {
  return (
    <section aria-label={texts.access.willHappen} aria-live="polite" className="min-h-14">
      {error && <Notice tone="ending">{texts.access.refusedThen(problemOf(error))}</Notice>}
      {!error && !preview && <Notice>{texts.access.fillIn}</Notice>}
      {!error && preview && (
        <Notice tone={preview.outcome === 'shortened' ? 'ending' : 'plain'}>
          {tellOutcome(preview)} {preview.uid === null && texts.access.newPerson}{' '}
          {texts.access.mails[preview.mail]}
        </Notice>
      )}
    </section>
  )
}
