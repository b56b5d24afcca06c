import type { ControlDatabase } from '../../db/database.ts'
import { countUnsent, markUnsentAsKept } from '../mail/outbox.ts'
import { countWaitingStaffMails, keepUnsentStaffMails } from '../staff/mails.ts'
import type { Gate } from './gate.ts'
import { type NamedEnvironment, type ReconcileResult, reconcileFirst } from './reconcile-first.ts'

export interface ResumeResult {
  reconciled: ReconcileResult[]
  /** Mails that were waiting and are now sent, or kept if the operator discards them. */
  mails: number
}

/** Counts the mails to readers and staff that wait to be sent. After a restore, some of them may have been sent before. */
export async function countWaitingMails(
  control: ControlDatabase,
  environments: readonly NamedEnvironment[],
): Promise<number> {
  let count = await countWaitingStaffMails(control.read)
  for (const { database } of environments) {
    const { queued, sending } = await countUnsent(database.read)
    count += queued + sending
  }
  return count
}

/** Ends the hold after reconciling with the provider. */
export async function resumeInstallation(
  gate: Gate,
  control: ControlDatabase,
  environments: readonly NamedEnvironment[],
  { discardMails }: { discardMails: boolean },
): Promise<ResumeResult> {
  const reconciled = await reconcileFirst(environments)
  const mails = await countWaitingMails(control, environments)
  if (discardMails) await discardQueuedMails(control, environments)
  await gate.resume()
  return { reconciled, mails }
}

export async function discardQueuedMails(
  control: ControlDatabase,
  environments: readonly NamedEnvironment[],
): Promise<void> {
  for (const { database } of environments) {
    await database.write((trx) => markUnsentAsKept(trx), { batch: true })
    await database.write((trx) => trx.deleteFrom('notices').execute(), { batch: true })
  }
  await control.write((trx) => keepUnsentStaffMails(trx))
}
