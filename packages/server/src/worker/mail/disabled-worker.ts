import type { Logger } from 'pino'
import type { Environment } from '../../context.ts'
import { markUnclaimedAsKept } from '../../domain/mail/outbox.ts'
import { type BackgroundLoop, startLoop } from '../loop.ts'

/** While no mail server is set, marks mails that the command line has queued as kept, so that they are not sent. During
 * a hold they stay queued, since a mail server may be set before the installation is resumed. */
export function startMailDisabledWorker(env: Environment, log: Logger): BackgroundLoop {
  return startLoop(env, log, {
    name: 'the worker that marks mails as kept',
    async work() {
      if (env.mailer || (await env.isOnHold())) return 0
      // Another process may have connected a server a moment ago, and queued mails for it.
      await env.connections.refresh()
      return env.mailer ? 0 : await markUnclaimedAsKept(env.database)
    },
    idleMs: 500,
    retryMs: 2_000,
  })
}
