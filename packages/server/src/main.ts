import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { type Context, createContext, ENVIRONMENTS } from './context.ts'
import type { Lifecycle } from './doors/arrival.ts'
import { firstStart } from './doors/start/first-start.ts'
import { welcome } from './doors/start/welcome.ts'
import { addressesOf } from './doors/targets.ts'
import { startMailWorker, type Worker } from './doors/worker/mail-worker.ts'
import { Stop } from './errors.ts'
import { createLogger } from './logger.ts'

/** Connected clients get this long to send one more request before idle connections are closed. */
const DRAIN_MS = 1_000

/** Runs the service until it is told to stop. */
export async function serve(config: Config): Promise<void> {
  const log = createLogger(config.logLevel)
  const ctx = await createContext(config)
  const lifecycle: Lifecycle = { draining: false }
  try {
    const isFirst = await firstStart(ctx)
    // A wrong master key is told now, not by refusing every request later.
    for (const name of ENVIRONMENTS) await ctx.environments[name].keyring.refresh()
    const app = await createApp(ctx, log, lifecycle)
    const listening = await listen(app, config)
    const workers = startWorkers(ctx, log)
    const stopped = stopSignal()
    const showKeys = isFirst && process.stdout.isTTY === true
    process.stdout.write(`${await welcome(ctx, addressesOf(config, listening), showKeys)}\n`)
    log.info(`stopping (${await stopped})`)
    await drain(app, lifecycle, workers)
  } finally {
    await ctx.close()
  }
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    await app.close()
    throw listenFailed(error as NodeJS.ErrnoException, config)
  }
  const { port } = app.server.address() as AddressInfo
  const any = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(config.host)
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return `http://${any ? 'localhost' : host}:${port}`
}

function listenFailed(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Stop(`GATEHOUSE_PORT: port ${port} on ${host} is taken by another program`)
    case 'EACCES':
      return new Stop(`GATEHOUSE_PORT: port ${port} needs rights that this user does not have`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Stop(`GATEHOUSE_HOST: ${host} is not an address of this machine`)
    default:
      return error
  }
}

function startWorkers(ctx: Context, log: ReturnType<typeof createLogger>): Worker[] {
  return ENVIRONMENTS.flatMap((name) => {
    const env = ctx.environments[name]
    if (!env.mailer) return []
    const { mailFrom, mailPerSecond } = ctx.config
    return [startMailWorker(env, env.mailer, { mailFrom, perSecond: mailPerSecond, log })]
  })
}

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        resolve(signal)
        // The second one means it.
        process.once(signal, () => process.exit(1))
      })
    }
  })
}

/** Takes no new connection, answers what is under way, then closes. */
async function drain(app: FastifyInstance, lifecycle: Lifecycle, workers: Worker[]): Promise<void> {
  lifecycle.draining = true
  const stopWorkers = Promise.all(workers.map((worker) => worker.stop()))
  app.server.close()
  await sleep(DRAIN_MS)
  await app.close()
  await stopWorkers
}
