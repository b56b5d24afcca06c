import { texts } from '../../texts.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const { overlaps } = texts.developers

/** For how long the old key or secret goes on working after a rotation, in seconds. */
export const OVERLAPS = [
  { value: String(HOUR), label: overlaps.hour },
  { value: String(DAY), label: overlaps.day },
  { value: String(7 * DAY), label: overlaps.week },
  { value: String(30 * DAY), label: overlaps.month },
  { value: '0', label: overlaps.none },
]
