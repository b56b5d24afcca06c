import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import { letYoungGenerationGrow } from './cluster/node-patches.ts'
import { onReloadSignal, stopSignal } from './cluster/signals.ts'
import { singleProcessRole, type WorkerRole } from './cluster/worker-role.ts'
import { createWorkerLifecycle } from './cluster/worker-state.ts'
import { addressesOf, localUrlOf } from './config/addresses.ts'
import { type Config, findOpenEnvFile } from './config/config.ts'
import { type Context, createContext, ENVIRONMENTS, type Environment } from './context.ts'
import { getInstallationId } from './db/installation.ts'
import { toOutageFailure } from './db/outage.ts'
import { recordServedAddress } from './domain/installation/address.ts'
import { DETACHED_MEANS, describeHold, HOLD_MEANS } from './domain/installation/hold.ts'
import { OperatorError } from './errors.ts'
import { KEEP_ALIVE_SECONDS, type Lifecycle } from './http/arrival.ts'
import { createAuditLog } from './logging/audit-log.ts'
import { createLogger } from './logging/logger.ts'
import { createFirstApplications } from './start/first-start.ts'
import { isInteractive } from './start/is-interactive.ts'
import { keepReserve } from './start/reserve.ts'
import { waitForDatabase } from './start/wait-for-database.ts'
import { welcomeText } from './start/welcome.ts'
import { openTracer } from './tracing/open-tracer.ts'
import type { Tracer } from './tracing/tracer.ts'
import { startCleanupWorker } from './worker/cleanup-worker.ts'
import { startConnectionsWorker } from './worker/connections-worker.ts'
import { startCountWorker } from './worker/count-worker.ts'
import { startErasureWorker } from './worker/erasure-worker.ts'
import { startEventWorker } from './worker/event-worker.ts'
import type { BackgroundLoop } from './worker/loop.ts'
import { startMailDisabledWorker } from './worker/mail/disabled-worker.ts'
import { startMailWorker } from './worker/mail/mail-worker.ts'
import { startNotificationWorker } from './worker/notification-worker.ts'
import { startPaymentWorker } from './worker/payment-worker.ts'
import { startReconcileWorker } from './worker/reconcile-worker.ts'
import { startStaffMailWorker } from './worker/staff-mail-worker.ts'
import { startWebhookWorker } from './worker/webhook-worker.ts'

/** How long only the readiness check reports the shutdown, so that load balancers look elsewhere first. */
const ANNOUNCE_MS = 500

/** How long a connected client may still send a request: one second longer than the response headers announced. */
const LINGER_MS = (KEEP_ALIVE_SECONDS + 1) * 1_000

/** How long a request in progress may take. */
const MAX_REQUEST_MS = 25_000

/** The process exits by then, whatever happens. */
const MAX_DRAIN_MS = 29_000

/** Runs the service in this process until it is stopped. */
export async function serve(config: Config, role: WorkerRole = singleProcessRole): Promise<void> {
  const stopped = Promise.race([stopSignal(), role.stopRequested])
  // Whatever reads our output may go away; the service continues.
  process.stdout.on('error', () => {})
  const log = createLogger(config.logLevel)
  if (role === singleProcessRole) onReloadSignal(() => log.warn(NO_RELOAD))
  if (!(await waitForDatabase(config, log, stopped))) return
  const openFile = findOpenEnvFile(process.cwd())
  if (openFile !== undefined) log.warn(openFile)
  const tracer = startTracing(config, log)
  const ctx = await createContext(config, { log, tracer, onAudit: createAuditLog(log) })
  try {
    const isFirst = await createFirstApplications(ctx)
    await requireKeys(ctx)
    await ensureInstallationId(ctx)
    await checkInstallation(ctx, log)
    const lifecycle = Object.assign(createWorkerLifecycle(), { isAccepting: true })
    const app = await createApp(ctx, log, lifecycle, role.peers)
    try {
      const listenUrl = await listen(app, config, log)
      ctx.setListenUrl(listenUrl)
      await saveServedAddress(ctx, log)
      if (ctx.control.engine === 'sqlite') keepReserve(config.dataFolder)
      lifecycle.apply('serve')
      letYoungGenerationGrow()
      // Every process follows the settings; the other jobs run in one of them.
      const backgroundJobs: BackgroundLoop[] = ENVIRONMENTS.map((name) =>
        startConnectionsWorker(ctx.environments[name], log),
      )
      await role.reportServing({
        async printWelcome() {
          const isTerminal = isInteractive(process)
          const addresses = addressesOf(config, listenUrl)
          const text = await welcomeText(ctx, addresses, { isTerminal, isFirst })
          process.stdout.write(`${text}\n`)
        },
        startBackgroundJobs() {
          if (lifecycle.state === 'serving') backgroundJobs.push(...startBackgroundLoops(ctx, log))
        },
      })
      const reason = await stopped
      log.info(`stopping (${reason})`)
      lifecycle.apply(reason === 'replaced' ? 'retire' : 'drain')
      role.reportExiting()
      exitAfterTimeout(log)
      const idle = Promise.all(backgroundJobs.map((worker) => worker.stop()))
      // Load balancers need not look elsewhere if another worker has already replaced this one.
      if (lifecycle.state === 'draining') await sleep(ANNOUNCE_MS)
      await drainConnections(app, lifecycle, role)
      await idle
      lifecycle.apply('stop')
    } finally {
      await app.close()
    }
  } finally {
    await ctx.close()
    await tracer?.close()
  }
}

/** Variables of OpenTelemetry that are wrong are logged: traces are no reason not to serve. */
function startTracing({ tracing }: Config, log: Logger): Tracer | undefined {
  for (const problem of tracing?.problems ?? []) log.error(`no traces are sent: ${problem}`)
  return tracing && openTracer(tracing, log)
}

const NO_RELOAD =
  "SIGHUP is ignored: a single process can't replace itself. Restart the service, or set " +
  'GATEHOUSE_WORKERS to 2 or more'

/** Decrypts every private key once, so that a wrong master key fails the start and not the first request. */
async function requireKeys(ctx: Context): Promise<void> {
  try {
    for (const name of ENVIRONMENTS) await ctx.environments[name].keyring.refresh()
  } catch (error) {
    if (error instanceof OperatorError || toOutageFailure(error)) throw error
    throw new OperatorError(
      `the private keys can't be decrypted with the master key ${ctx.masterKey.origin}`,
    )
  }
}

/** Checks whether this is the installation that ran here before. A database that is busy for a while is no reason not
 * to serve: the same check is made before anything is sent out. */
async function checkInstallation({ gate }: Context, log: Logger): Promise<void> {
  try {
    await gate.check()
  } catch (error) {
    if (!toOutageFailure(error)) throw error
    log.warn(
      { err: error },
      'it could not be checked yet whether this is the installation that ran here before',
    )
  }
  const { hold, detached } = await gate.state()
  if (hold) log.warn({ cause: hold.cause }, `on hold: ${describeHold(hold)} ${HOLD_MEANS}`)
  if (detached !== undefined) log.warn(DETACHED_MEANS)
}

/** While on hold, the address that was served before stays recorded. If it can't be stored, for example on a full disk,
 * the next start does it. */
async function saveServedAddress(
  { gate, control, environments }: Context,
  log: Logger,
): Promise<void> {
  if ((await gate.state()).hold) return
  try {
    await recordServedAddress(control, environments.production.address())
  } catch (error) {
    if (!toOutageFailure(error)) throw error
    log.warn({ err: error }, 'the address of this service could not be stored')
  }
}

/** Called before the first sale, so that even a backup from before it has the installation id that its orders carry. */
async function ensureInstallationId({ environments }: Context): Promise<void> {
  for (const name of ENVIRONMENTS) await getInstallationId(environments[name].database)
}

async function listen(app: FastifyInstance, config: Config, log: Logger): Promise<string> {
  const { level } = log
  try {
    // Listens at one address, even for a name like localhost that has two.
    const { address } = await lookup(config.host, { verbatim: false })
    // Silences Fastify's own message: the welcome message replaces it.
    log.level = 'warn'
    await app.listen({ host: address, port: config.port })
  } catch (error) {
    throw listenFailed(error as NodeJS.ErrnoException, config)
  } finally {
    log.level = level
  }
  const { port } = app.server.address() as AddressInfo
  return localUrlOf(config.host, port)
}

function listenFailed(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `GATEHOUSE_PORT: port ${port} on ${host} is already in use by another program`,
      )
    case 'EACCES':
      return new OperatorError(`GATEHOUSE_PORT: this user is not allowed to listen on port ${port}`)
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new OperatorError(`GATEHOUSE_HOST: ${host} is not an address of this machine`)
    default:
      return error
  }
}

function startBackgroundLoops(ctx: Context, log: Logger): BackgroundLoop[] {
  const ofEnvironments = ENVIRONMENTS.flatMap((name) => {
    const env = ctx.environments[name]
    return [
      startPaymentWorker(env, log),
      startReconcileWorker(env, log),
      startCleanupWorker(env, log),
      startCountWorker(env, log),
      startErasureWorker(env, ctx.control, log),
      startMailDisabledWorker(env, log),
      startMailWorker(env, () => mailServerOf(env), {
        perSecond: ctx.config.mailPerSecond,
        connections: ctx.config.mailConnections,
        log,
      }),
      startNotificationWorker(ctx, env, log),
      startWebhookWorker(ctx, env, { log }),
      startEventWorker(env, ctx.config.eventDays, log),
    ]
  })
  return [...ofEnvironments, startStaffMailWorker(ctx, log)]
}

const mailServerOf = ({ mailer, mailFrom }: Environment) => mailer && { mailer, mailFrom }

function exitAfterTimeout(log: Logger): void {
  setTimeout(() => {
    log.warn('stopped before everything was finished; the rest continues after the next start')
    process.exit(1)
  }, MAX_DRAIN_MS).unref()
}

/** Accepts no new connections and closes each one with its next response. Idle connections are closed after they had
 * time to send a request that may be on its way. */
async function drainConnections(
  { server }: FastifyInstance,
  lifecycle: Lifecycle,
  role: WorkerRole,
): Promise<void> {
  const closed = once(server, 'close')
  await role.stopAccepting(server)
  lifecycle.isAccepting = false
  // `ref: false`: with no open connections, the process does not wait for the timer.
  await Promise.race([closed, sleep(LINGER_MS, undefined, { ref: false })])
  const sweep = setInterval(async () => {
    await setImmediate()
    server.closeIdleConnections()
  }, 100)
  await Promise.race([closed, sleep(MAX_REQUEST_MS, undefined, { ref: false })])
  clearInterval(sweep)
  server.closeAllConnections()
}
