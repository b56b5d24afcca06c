import type { SubscriptionItem } from '@gatehouse/server/dashboard-api'
import { expect, it } from 'vitest'
import { describeNextEvent, nextEventLabel } from './labels.tsx'

const on = (month: number, day: number) => Date.UTC(2027, month - 1, day, 12) / 1000

const PAST_DUE = {
  ...{ status: 'past_due', tries: 1, next_due: on(3, 4), next_step: 'renew' },
  ...{ current_period_end: on(3, 3), access_ends: on(3, 10) },
} as unknown as SubscriptionItem

it.each([
  [on(3, 10), 'The reader has access until 10 Mar 2027.'],
  [null, 'The reader has access with no end date.'],
])('names the retry and the end of the access apart, case %#', (access_ends, told) =>
  expect(describeNextEvent({ ...PAST_DUE, access_ends }, 'UTC')).toBe(
    `1 charge failed. The card is charged again on 4 Mar 2027. ${told} If no charge succeeds, the subscription ends.`,
  ),
)

it.each([
  [{ canceled: on(3, 1), tries: 0 }, 'Ended 3 Mar 2027 (canceled)', 'was canceled, and ended'],
  [{ canceled: null, tries: 5 }, 'Ended 3 Mar 2027 (unpaid)', 'because the renewal was not paid'],
  [{ canceled: null, tries: 0 }, 'Ended 3 Mar 2027', 'This subscription ended on 3 Mar 2027.'],
])('says why a subscription ended, case %#', (facts, short, story) => {
  const ended = { ...PAST_DUE, ...facts, status: 'ended', ended: on(3, 3) } as SubscriptionItem
  expect(nextEventLabel(ended, 'UTC')).toBe(short)
  expect(describeNextEvent(ended, 'UTC')).toContain(story)
})
