import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import { markUnclaimedAsKept } from '../domain/mail/outbox.ts'
import { type BackgroundLoop, startLoop } from './loop.ts'

/** For a service without a mail server: marks mails that the command line has queued as kept, so that they are not
 * sent. During a hold they stay queued, since a mail server may be configured before the installation is resumed. */
export function startMailDisabledWorker(env: Environment, log: Logger): BackgroundLoop {
  return startLoop(env, log, {
    name: 'the worker that marks mails as kept',
    async work() {
      return (await env.isOnHold()) ? 0 : await markUnclaimedAsKept(env.database)
    },
    idleMs: 500,
    retryMs: 2_000,
  })
}
