import { findViolations } from '../../db/invariants/invariants.ts'
import type { Mailer } from '../../domain/mail/mailer.ts'
import { createLogger } from '../../logging/logger.ts'
import { createMailSender } from '../../worker/mail/mail-worker.ts'
import type { Cli, Outcome } from '../cli.ts'
import type { TestDatabase } from '../databases.ts'
import { ModelFailure } from '../model/failure.ts'
import type { HttpClient } from '../model/systems/http-client.ts'
import { LocalSystem } from '../model/systems/local-system.ts'
import type { World } from '../model/world.ts'
import { type Fault as SmtpFault, startSmtp, type TestSmtp } from '../smtp/smtp.ts'
import { type FaultPlan, type FiredFault, isCarriedOut } from './fault-plan.ts'

const SMTP_FAULTS: Readonly<Record<string, SmtpFault>> = { refused: 451, drop: 'drop' }

/** A system in which the calls of the service fail as planned. What fails visibly is repeated, as a client would. */
export class FaultySystem extends LocalSystem {
  plan: FaultPlan | undefined
  #smtp: TestSmtp | undefined
  world: World | undefined
  /** Whether its databases are closed, while a backup is restored. */
  #isStopped = false
  /** How the last fault showed: as a status, an exit code, or not at all. */
  shownAs = 'nothing'

  /** Starts a service whose calls fail as planned. */
  static async start(database: TestDatabase, plan: FaultPlan): Promise<FaultySystem> {
    const smtp = await startSmtp()
    const settings = { GATEHOUSE_SMTP_URL: smtp.url }
    const system = await FaultySystem.open<FaultySystem>(database, settings)
    system.plan = plan
    system.#smtp = smtp
    smtp.fault = (step) => SMTP_FAULTS[plan.next('mail', step) ?? '']
    return system
  }

  override async close(): Promise<void> {
    await super.close()
    await this.#smtp?.stop()
  }

  override get http(): HttpClient {
    const { send, close } = super.http
    return {
      close,
      send: (address, message) =>
        this.#attempt(
          () => send(address, message),
          ({ status }) => (status >= 500 ? `${status}` : undefined),
        ),
    }
  }

  override get commands(): Cli {
    const own = super.commands
    const run = (...args: string[]) =>
      this.#attempt(
        () => own.run(...args).catch(crashed),
        (outcome) => (outcome.code === 0 ? undefined : exitOf(outcome)),
      )
    return { ...own, run }
  }

  get smtp(): TestSmtp {
    return this.#smtp as TestSmtp
  }

  /** Does what the mail worker does, until no mail is due. */
  async sendMails(): Promise<void> {
    const { env } = this
    const server = { mailer: env.mailer as Mailer, mailFrom: 'shop@example.com' }
    await this.#attempt(
      async () => {
        // One connection sends mails in the same order each time.
        const sender = createMailSender({
          ...{ env, findServer: () => server, perSecond: 1_000, connections: 1 },
          log: createLogger('silent'),
          abandonSignal: new AbortController().signal,
        })
        while ((await sender.claim()) === 'claimed') await sender.finish()
      },
      () => undefined,
    )
  }

  override async work(): Promise<void> {
    await this.#attempt(
      () => super.work(),
      () => undefined,
    )
  }

  override async sendWebhooks(): Promise<void> {
    await this.#attempt(
      () => super.sendWebhooks(),
      () => undefined,
    )
  }

  override async restore(backup: string): Promise<void> {
    this.#isStopped = true
    await super.restore(backup)
    this.#isStopped = false
  }

  /** Runs a call of the outside. If a fault made it fail, checks that nothing is half done, and runs it again. */
  async #attempt<R>(
    run: () => Promise<R>,
    failureIn: (result: R) => string | undefined,
  ): Promise<R> {
    const { plan } = this
    if (!plan?.isArmed || plan.fired) return await run()
    let failure: string | undefined
    try {
      const result = await plan.watch(run)
      failure = plan.fired && failureIn(result)
      if (failure === undefined) return result
    } catch (error) {
      if (!plan.fired) throw error
      failure = `thrown: ${(error as Error).message}`
    }
    const { mode } = plan.fired as unknown as FiredFault
    this.shownAs = failure
    requirePlain(failure)
    if (this.world) {
      this.world.hasFailed = true
      // An answer may also be lost when rows are read for it after the commit.
      this.world.wasCut = isCarriedOut(mode) || plan.calls.commit > 0
    }
    await this.#requireWhole()
    return await run()
  }

  async #requireWhole(): Promise<void> {
    if (this.#isStopped) return
    const { database, clock } = this.env
    const [violation] = await findViolations(database.read, clock())
    if (violation) throw new ModelFailure('invariants', violation.rule, JSON.stringify(violation))
  }
}

/** A command says in its last line what is wrong, and prints no stack trace. */
const exitOf = ({ code, stderr }: Outcome) =>
  /(?:^|\n)gatehouse: [^\n]*\n$/.test(stderr) && !/^ +at /m.test(stderr)
    ? `exit ${code}`
    : `exit ${code} with: ${stderr}`

/** A command that throws would print a stack trace. */
const crashed = (error: unknown): Outcome => ({ code: 1, stdout: '', stderr: String(error) })

function requirePlain(failure: string): void {
  if (failure === '500') throw new ModelFailure('status', 'a fault led to a 500')
  if (failure.startsWith('exit') && failure.includes('with:')) {
    throw new ModelFailure('status', 'a command does not say what is wrong', failure)
  }
}
