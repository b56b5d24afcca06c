import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { GrantPreview } from '../../../../server/src/doors/dashboard/shapes-access.ts'
import { keys, send } from '../../api.ts'
import { Notice } from '../../parts/notice.tsx'
import { problemOf } from '../../parts/use-form.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { atField, REF_TAKEN } from './at-field.ts'
import { tellEnd } from './ends.ts'

/** Long enough that one who types asks once. */
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
  /** Undefined while it is not known. */
  preview: GrantPreview | undefined
  error: Error | null
}

/** What a grant would do; undefined for one that is not filled in yet. */
export function useGrantPreview(wish: object | undefined): Foreseen {
  const { environment, aid, path } = usePlace()
  const asked = wish === undefined ? '' : JSON.stringify(wish)
  const settled = useSettled(asked)
  const { data, error } = useQuery({
    // Apart from what is read anew after each change: it must not be asked again then.
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

/** Says before the button is pressed what it will do. */
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
