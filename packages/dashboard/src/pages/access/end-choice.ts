import { addDays, dayAt, startOfDay } from '@gatehouse/server/dashboard-api'
import { formatDate } from '../../components/lists/filter-days.ts'
import { texts } from '../../texts.ts'

/** How an end is chosen: relative to a start, on a date, or never. */
export type EndChoice = keyof typeof texts.access.ends

const DAY = 86_400

/** 31 January plus one month is the last day of February. */
function addMonths(seconds: number, months: number): number {
  const time = new Date(seconds * 1000)
  const day = time.getDate()
  time.setMonth(time.getMonth() + months)
  if (time.getDate() !== day) time.setDate(0)
  return Math.floor(time.getTime() / 1000)
}

/** The last second of a day in a time zone; undefined if the text is not a date. */
const endOfDay = (date: string, zone: string): number | undefined =>
  Number.isNaN(Date.parse(`${date}T00:00Z`)) ? undefined : startOfDay(zone, addDays(date, 1)) - 1

/** The end in seconds; null for no end; undefined while no date is chosen. A date ends in the application's time zone, as
 * in the reader's email. */
export function endOfChoice(
  choice: EndChoice,
  date: string,
  from: number,
  zone: string,
): number | null | undefined {
  switch (choice) {
    case 'never':
      return null
    case 'week':
      return from + 7 * DAY
    case 'month':
      return addMonths(from, 1)
    case 'year':
      return addMonths(from, 12)
    case 'date':
      return endOfDay(date, zone)
  }
}

/** The error to show at the date field: no day was chosen, or one before `today` (`2027-03-28`), such as with a mistyped
 * year. Without `today`, any day will do. */
export function dateProblem(
  { end, date }: { end: string; date: string },
  today?: string,
): string | undefined {
  if (end !== 'date') return undefined
  if (date === '') return texts.access.noDate
  return today !== undefined && date < today ? texts.access.pastDate : undefined
}

/** 3 Apr 2027: the day of a time in seconds, in the time zone of the application and not in the browser's. */
export const formatDayIn = (zone: string, at: number): string => formatDate(dayAt(zone, at))

/** `until 3 Apr 2027`, or a text for no end date. */
export const describeEnd = (end: number | null, zone: string): string =>
  end === null ? texts.access.withoutEnd : texts.access.untilDay(formatDayIn(zone, end))
