import type { GrantPreview } from '@gatehouse/server/dashboard-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keys, send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { cx } from '../../components/cx.ts'
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
  /** What the grant would do, or would have done before the last change if that is still being checked. */
  shown: GrantPreview | undefined
  /** Undefined until it is loaded. */
  preview: GrantPreview | undefined
  error: Error | null
  isChecking: boolean
}

const NOTHING = { shown: undefined, preview: undefined, error: null, isChecking: false }

/** Previews what a grant would do; undefined for an incomplete request. */
export function useGrantPreview(input: object | undefined): PreviewState {
  const { environment, aid, path } = useAppScope()
  const asked = input === undefined ? '' : JSON.stringify(input)
  const settled = useDebounced(asked, DEBOUNCE_MS)
  const { data, error, isPending, isPlaceholderData } = useQuery({
    // Not under the keys of the application, which are refetched after each change: that would repeat the preview.
    queryKey: keys.staff('grant preview', environment, aid, settled),
    queryFn: () => {
      const body = { ...JSON.parse(settled), dry_run: true }
      const asking = send<GrantPreview>('POST', path('access', 'grant'), body)
      return withFieldError(asking, 'user_ref', REFERENCE_ERRORS)
    },
    enabled: settled !== '' && settled === asked,
    gcTime: 0,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
  if (asked === '') return NOTHING
  const isChecking = settled !== asked || isPending || isPlaceholderData
  return isChecking
    ? { ...NOTHING, shown: data, isChecking }
    : { shown: data, preview: data, error, isChecking }
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

interface NoticeProps {
  state: PreviewState
  /** What to do first, if the grant is incomplete. */
  fillIn: string
}

/** Describes what the button will do before it is pressed. While that is checked again, the last description is dimmed. */
export function GrantPreviewNotice({ state, fillIn }: NoticeProps): ReactNode {
  const { shown, error, isChecking } = state
  const zone = useTimeZone()
  return (
    <section
      aria-label={texts.access.willHappen}
      aria-live="polite"
      aria-busy={isChecking}
      className={cx('min-h-14 transition-opacity', isChecking && 'opacity-60')}
    >
      {error && <Notice tone="ending">{texts.access.refusedThen(errorMessage(error))}</Notice>}
      {!error && !shown && <Notice>{isChecking ? texts.access.checking : fillIn}</Notice>}
      {!error && shown && (
        <Notice tone={shown.outcome === 'shortened' ? 'ending' : 'plain'}>
          {describeOutcome(shown, zone)} {shown.uid === null && texts.access.newPerson}{' '}
          {texts.access.mails[shown.mail]}
        </Notice>
      )}
    </section>
  )
}
