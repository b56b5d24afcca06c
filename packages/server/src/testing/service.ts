import type { AddressInfo } from 'node:net'
import { Gatehouse } from '@gatehouse/sdk'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { createApp } from '../app.ts'
import { prefixesOf } from '../config/addresses.ts'
import { readConfig } from '../config/config.ts'
import { type Context, createContext, type Environment, type EnvironmentName } from '../context.ts'
import { getInstallationId } from '../db/installation.ts'
import {
  findControlViolations,
  findViolations,
  hasViolations,
} from '../db/invariants/invariants.ts'
import { createApplication, reserveAid } from '../domain/apps/applications.ts'
import { createResource } from '../domain/resources/resources.ts'
import { createAuditLog } from '../logging/audit-log.ts'
import { createLogger } from '../logging/logger.ts'
import type { Tracer } from '../tracing/tracer.ts'
import type { TestDatabase, TestInstallation } from './databases.ts'
import { watchFailures } from './http/listed-failures.ts'
import { requireAidInQueries } from './require-aid.ts'
import { TEST_SETTINGS } from './test-settings.ts'

/** A clock that is set by hand. */
export interface TestClock {
  /** In milliseconds. */
  now: number
  /** The same in whole seconds, as the API uses. */
  readonly seconds: number
  advance(seconds: number): void
}

export interface TestApplication {
  environment: Environment
  aid: string
  privateKey: string
  /** The base URL of its environment. */
  baseUrl: string
  client: Gatehouse
  /** A client of the same application at another service, `http://127.0.0.1:port`. */
  clientAt(url: string): Gatehouse
  addResource(rid: string, more?: { name?: string; url?: string }): Promise<void>
}

/** A whole service in this process, listening on its own port unless another process serves. */
export interface TestService {
  ctx: Context
  app: FastifyInstance
  /** `http://127.0.0.1:port`, or the address of the other process. */
  url: string
  clock: TestClock
  installation: TestInstallation
  newApplication(environment?: EnvironmentName): Promise<TestApplication>
  /** Throws if an invariant is violated, or if an error was answered that the contract does not list. */
  requireInvariants(): Promise<void>
  stop(): Promise<void>
}

export interface TestServiceOptions {
  /** Additional settings. */
  env?: Record<string, string>
  /** An existing home, which is then left in place; a new one by default. */
  installation?: TestInstallation
  /** Uses the machine's clock instead of one set by hand, like other processes on the same data. */
  useRealTime?: boolean
  /** The address of a process that serves the same home: requests go there, and this service does not listen. */
  servedAt?: string
  /** Follows its requests. */
  tracer?: Tracer
  /** Receives the service's log; by default nothing is logged. */
  logger?: Logger
}

const START = Date.UTC(2027, 2, 3, 9)

export async function startTestService(
  database: TestDatabase,
  options: TestServiceOptions = {},
): Promise<TestService> {
  const installation = options.installation ?? (await database.createMigrated())
  const clock: TestClock = {
    now: START,
    get seconds() {
      return Math.floor(this.now / 1000)
    },
    advance(seconds) {
      this.now += seconds * 1000
    },
  }
  const config = readConfig({
    ...{ ...TEST_SETTINGS, ...installation.env },
    ...{ GATEHOUSE_PORT: '0', ...options.env },
  })
  const ctx = await createContext(config, {
    realTime: options.useRealTime ? Date.now : () => clock.now,
    // Tests store refused checks when they want to see them; otherwise no row would change by itself.
    refusalPauseMs: 3_600_000,
    tracer: options.tracer,
    ...(options.logger && { onAudit: createAuditLog(options.logger) }),
  })
  for (const { database: own } of Object.values(ctx.environments)) {
    await getInstallationId(own)
    // Both databases get the same queries.
    if (own.engine === 'sqlite') await requireAidInQueries(own)
  }
  const app = await createApp(ctx, options.logger ?? createLogger('silent'))
  const listUnlisted = watchFailures(app, prefixesOf(config))
  const url = options.servedAt ?? (await listen(app))
  ctx.setListenUrl(url)
  return {
    ctx,
    app,
    url,
    clock,
    installation,
    newApplication: (environment = 'production') => newApplication(ctx, url, environment),
    async requireInvariants() {
      const unlisted = listUnlisted()
      if (unlisted.length > 0) throw new Error(`not in the contract: ${unlisted.join(', ')}`)
      await requireInvariants(ctx)
    },
    async stop() {
      await app.close()
      await ctx.close()
      if (!options.installation) await installation.remove()
    },
  }
}

async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

async function newApplication(
  ctx: Context,
  url: string,
  name: EnvironmentName,
): Promise<TestApplication> {
  const environment = ctx.environments[name]
  const { database, clock, realTime } = environment
  const aid = await reserveAid(ctx.control, name)
  const { privateKey } = await database.write((trx) =>
    createApplication(
      trx,
      ctx.masterKey,
      { aid, name: 'Test magazine' },
      { now: clock(), realTime: realTime() },
      'test',
    ),
  )
  const prefix = prefixesOf(ctx.config)[name]
  const baseUrl = url + prefix
  return {
    environment,
    aid,
    privateKey,
    baseUrl,
    client: new Gatehouse({ baseUrl, aid, privateKey, now: realTime }),
    clientAt: (at) => new Gatehouse({ baseUrl: at + prefix, aid, privateKey, now: realTime }),
    async addResource(rid, { name: title = `Resource ${rid}`, url: link = '' } = {}) {
      await database.write((trx) =>
        createResource(trx, { aid, rid, name: title, url: link }, clock(), 'test'),
      )
    },
  }
}

async function requireInvariants(ctx: Context): Promise<void> {
  const wrong = await findControlViolations(ctx.control.read)
  if (wrong.length > 0) throw new Error(`broken in control: ${JSON.stringify(wrong, null, 2)}`)
  for (const { name, database, clock } of Object.values(ctx.environments)) {
    // Nothing is written without an application, and most tests use one environment.
    const { rows } = await sql`select aid from applications limit 1`.execute(database.read)
    if (rows.length === 0 || !(await hasViolations(database.read, clock()))) continue
    const violations = await findViolations(database.read, clock())
    throw new Error(`broken in ${name}: ${JSON.stringify(violations, null, 2)}`)
  }
}
