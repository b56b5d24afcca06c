import { requireThat } from '../model/failure.ts'
import type { OperationKind } from '../model/operation-kind.ts'
import type { World } from '../model/world.ts'
import type { FaultySystem } from './faulty-system.ts'

/** Longer than every pause of the mail worker before it tries again, and than its lease. */
const PAUSE_S = 4_000
const ROUNDS = 3

/** Sends the mails that wait, and requires that each has arrived once. */
async function sendMails(world: World): Promise<string> {
  const system = world.system as FaultySystem
  const before = system.smtp.mails.length
  for (let round = 0; round < ROUNDS; round++) {
    await system.sendMails()
    system.moveClock(PAUSE_S)
  }
  const ids = system.smtp.mails.slice(before).map(({ mail }) => mail.messageId)
  requireThat(new Set(ids).size === ids.length, 'ledger', 'a mail has arrived twice', () => ids)
  return `${ids.length}`
}

/** Operations that time drives and that histories of the model don't have. */
export const EXTRA_KINDS: readonly OperationKind[] = [
  { name: 'send-mails', weight: 0, reaches: [], draw: () => ({ args: {} }), play: sendMails },
]
