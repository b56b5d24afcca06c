import { formatDay } from '../../../format.ts'
import { texts } from '../../../texts.ts'

/** Shows an end as the server writes it: a day in the application's time zone, perhaps with a time. */
export function showEnd(until: string): string {
  if (until === '') return texts.importing.noEnd
  const [day = '', ...time] = until.split(' ')
  // Noon, so that the browser's time zone doesn't move it to another day.
  return [formatDay(Date.parse(`${day}T12:00:00`)), ...time].join(' ')
}
