import type { Logger } from 'pino'
import type { Environment } from '../../context.ts'
import { areUntriedMailsQueued, keepUntriedMails } from '../../outbox/outbox.ts'
import { startLoop, type Worker } from './loop.ts'

/** In a service without a mail server: keeps the mails that a command has queued for it to decide on. While
 * the installation is on hold they wait, since a server may be set before it is resumed. */
export function startMailKeeper(env: Environment, log: Logger): Worker {
  return startLoop(env, log, {
    name: 'the mail keeper',
    async work() {
      if (!(await areUntriedMailsQueued(env.database.read))) return 0
      if (await env.isOnHold()) return 0
      return await env.database.write((trx) => keepUntriedMails(trx))
    },
    idleMs: 500,
    troubleMs: 2_000,
  })
}
