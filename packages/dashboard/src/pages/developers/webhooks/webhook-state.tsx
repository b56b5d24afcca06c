import type { WebhookDetails, WebhookItem } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { Notice } from '../../../components/display/notice.tsx'
import { badgeOf } from '../../../components/display/state-badge.tsx'
import { Time } from '../../../components/display/time.tsx'
import { formatMinute } from '../../../format.ts'
import { texts } from '../../../texts.ts'

const words = texts.webhooks

export const WebhookBadge = badgeOf<WebhookItem['state']>(words.states, {
  on: 'live',
  failing: 'failed',
  off: 'failed',
  disabled: 'ended',
})

/** Describes the state of an endpoint in plain words. */
export function webhookSentence(webhook: WebhookItem): string {
  const { state, off_reason, last_error, last_success_at } = webhook
  if (state === 'off') return words.off[off_reason ?? 'failing']
  if (state === 'disabled') return words.disabled
  if (state === 'failing') return words.failing(last_error ?? '')
  return last_success_at === null ? words.neverSent : words.working
}

/** The notices about an endpoint that has a problem, has missed events or is receiving a replay. */
export function WebhookNotices({ webhook }: { webhook: WebhookDetails }): ReactNode {
  const { state, resumes_at, missed_from, missed_to, replay } = webhook
  return (
    <>
      {state !== 'on' && (
        <Notice tone={state === 'disabled' ? 'ending' : 'failed'}>
          {webhookSentence(webhook)}
          {state === 'failing' && (
            <>
              {' '}
              {words.nextAttempt}: <Time at={resumes_at} />
            </>
          )}
        </Notice>
      )}
      {missed_from !== null && missed_to !== null && (
        <Notice tone="ending">
          {words.missed(formatMinute(missed_from), formatMinute(missed_to))} {words.missedReplay}
        </Notice>
      )}
      {replay && <Notice>{words.replaying(replay.queued)}</Notice>}
    </>
  )
}
