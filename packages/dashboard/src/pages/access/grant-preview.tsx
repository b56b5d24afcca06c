import type { GrantPreview } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keys, send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Notice } from '../../components/display/notice.tsx'
import { errorMessage } from '../../components/forms/use-form.ts'
import { useDebounced } from '../../components/use-debounced.ts'
import { useTimeZone } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { describeEnd } from './end-choice.ts'
import { REFERENCE_ERRORS, withFieldError } from './field-error.ts'

/** Long enough that continuous typing causes only one request. */
const DEBOUNCE_MS = 500

interface PreviewState {
  /** Undefined until it is loaded. */
  preview: GrantPreview | undefined
  error: Error | null
}

/** Previews what a grant would do; undefined for an incomplete request. */
export function useGrantPreview(input: object | undefined): PreviewState {
  const { environment, aid, path } = useAppScope()
  const asked = input === undefined ? '' : JSON.stringify(input)
  const settled = useDebounced(asked, DEBOUNCE_MS)
  const { data, error } = useQuery({
    // Not under the keys of the application, which are refetched after each change: that would repeat the preview.
    queryKey: keys.staff('grant preview', environment, aid, settled),
    queryFn: () => {
      const body = { ...JSON.parse(settled), dry_run: true }
      const asking = send<GrantPreview>('POST', path('access', 'grant'), body)
      return withFieldError(asking, 'user_ref', REFERENCE_ERRORS)
    },
    enabled: settled !== '' && settled === asked,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return settled === asked && asked !== ''
    ? { preview: data, error }
    : { preview: undefined, error: null }
}

function describeOutcome({ outcome, expires, expires_before }: GrantPreview, zone: string): string {
  const end = describeEnd(expires, zone)
  switch (outcome) {
    case 'extended':
    case 'shortened':
      return texts.access.outcomes[outcome](end, describeEnd(expires_before, zone))
    default:
      return texts.access.outcomes[outcome](end)
  }
}

/** Describes what the button will do before it is pressed. */
export function GrantPreviewNotice({ preview, error }: PreviewState): ReactNode {
  const zone = useTimeZone()
  return (
    <section aria-label={texts.access.willHappen} aria-live="polite" className="min-h-14">
      {error && <Notice tone="ending">{texts.access.refusedThen(errorMessage(error))}</Notice>}
      {!error && !preview && <Notice>{texts.access.fillIn}</Notice>}
      {!error && preview && (
        <Notice tone={preview.outcome === 'shortened' ? 'ending' : 'plain'}>
          {describeOutcome(preview, zone)} {preview.uid === null && texts.access.newPerson}{' '}
          {texts.access.mails[preview.mail]}
        </Notice>
      )}
    </section>
  )
}
