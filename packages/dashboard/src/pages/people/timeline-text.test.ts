import type { TimelineItem } from '@gatehouse/server/dashboard-api'
import { expect, it } from 'vitest'
import { describeTimelineItem } from './timeline-text.ts'

it.each([
  ['dispute opened', 'Payment for Issue 7 disputed at the bank'],
  ['dispute won', 'Dispute about Issue 7 won: the payment stays'],
  ['dispute lost', 'Dispute about Issue 7 lost: the bank took the money back'],
  ['access given back', 'Access to Issue 7 given back: dispute won on appeal'],
  ['refund pending', 'Refund for Issue 7 in progress'],
])('says in a sentence what “%s” means', (what, sentence) => {
  const item = { kind: 'change', what, rid: 'issue-7', money: null } as TimelineItem
  expect(describeTimelineItem(item, () => 'Issue 7', 'UTC')).toBe(sentence)
})
