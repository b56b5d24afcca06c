import type { EnvironmentDatabase } from '../../db/database.ts'
import type { EventTable, Millis, Seconds } from '../../db/tables.ts'
import { lockApplication } from '../apps/applications.ts'
import type { EventType } from './catalogue.ts'
import { sampleDraft } from './samples.ts'
import { type EventScope, writeEvents } from './write.ts'

/** Writes the sample of a type as if it had happened, so that endpoints and readers of the cursor get it. Only its event is
 * made: nobody has more access than before. */
export async function triggerSample(
  database: EnvironmentDatabase,
  scope: EventScope,
  type: EventType,
  { now, realTime }: { now: Seconds; realTime: Millis },
): Promise<EventTable> {
  return await database.write(async (trx) => {
    await lockApplication(trx, scope.aid)
    const [event] = await writeEvents(trx, scope, [sampleDraft(type, scope, now)], realTime)
    return event as EventTable
  })
}
