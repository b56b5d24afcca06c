import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import { areUntriedMailsQueued, markUnclaimedAsKept } from '../domain/mail/outbox.ts'
import { startLoop, type Worker } from './loop.ts'

/** For a service without a mail server: marks mails that the command line has queued as kept, so that they are not
 * sent. During a hold they stay queued, since a mail server may be configured before the installation is resumed. */
export function startMailKeeper(env: Environment, log: Logger): Worker {
  return startLoop(env, log, {
    name: 'the mail keeper',
    async work() {
      if (!(await areUntriedMailsQueued(env.database.read))) return 0
      if (await env.isOnHold()) return 0
      return await env.database.write((trx) => markUnclaimedAsKept(trx))
    },
    idleMs: 500,
    troubleMs: 2_000,
  })
}
