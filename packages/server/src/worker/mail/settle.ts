import type { EnvironmentDatabase } from '../../db/database.ts'
import type { Millis } from '../../db/tables.ts'
import { recordSendOutcomes, type SentMail } from '../../domain/mail/claims.ts'

interface Pending {
  sent: SentMail
  resolve(isRecorded: boolean): void
  reject(error: unknown): void
}

/** Returns a function that records how a sending went, and resolves to false if the lease was lost. Outcomes that arrive
 * while others are being written share the next transaction. */
export function createSettler(
  database: EnvironmentDatabase,
  realTime: () => Millis,
): (sent: SentMail) => Promise<boolean> {
  let pending: Pending[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    while (pending.length > 0) {
      const batch = pending
      pending = []
      try {
        const sent = batch.map((one) => one.sent)
        const recorded = await database.write((trx) => recordSendOutcomes(trx, sent, realTime()))
        for (const one of batch) one.resolve(recorded.has(one.sent.mail.id))
      } catch (error) {
        for (const one of batch) one.reject(error)
      }
    }
    isWriting = false
  }

  return (sent) =>
    new Promise((resolve, reject) => {
      pending.push({ sent, resolve, reject })
      if (!isWriting) void writeAll()
    })
}
