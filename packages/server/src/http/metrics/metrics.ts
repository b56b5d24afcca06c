import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type MetricObject,
  Registry,
} from 'prom-client'
import type { Peers } from '../../cluster/peers.ts'
import { type Context, ENVIRONMENTS } from '../../context.ts'
import { REFUSALS, type Refusal } from '../../domain/staff/refusals.ts'
import { version } from '../../version.ts'
import { registerBusinessMetrics } from './business-metrics.ts'
import { createDiskMetrics, type DiskMetrics } from './disk-metrics.ts'
import { createFastPathMetrics, type FastPathMetrics } from './fast-path-metrics.ts'
import { createResponseMetrics, type ResponseMetrics } from './response-metrics.ts'
import { registerStoredMetrics } from './stored-metrics.ts'

export interface Metrics {
  /** A hook that counts a response. */
  observe(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts responses that Fastify doesn't know of. */
  responses: ResponseMetrics
  fastPath: FastPathMetrics
  /** Counts bytes of files that readers have received. */
  delivered(environment: string, bytes: number): void
  /** Counts connections that were closed because incomplete requests used too much memory. */
  closedUnfinished(count: number): void
  /** Counts somebody whom the dashboard or the management API did not let in, or refused an action. */
  refused(reason: Refusal): void
  disk: DiskMetrics
  text(): Promise<string>
  contentType: string
}

export function createMetrics(ctx: Context, peers: Peers): Metrics {
  const own = new Registry()
  const counted = countOwn(own)
  const shared = new Registry()
  registerStoredMetrics(ctx, shared)
  registerProcessMetrics(ctx, own)
  registerProviderCalls(ctx, own)
  registerBusinessMetrics(ctx, own)
  const disk = createDiskMetrics(ctx.config.dataFolder, own, shared)
  const watched = watchProcess(own)
  const mine = async () => {
    await watched()
    return await ownMetrics(own, peers)
  }
  peers.onQuestion(TOPIC, mine)
  return {
    ...counted,
    disk,
    async text() {
      const [own, others] = await Promise.all([mine(), peers.ask(TOPIC)])
      const all = AggregatorRegistry.aggregate([own, ...(others as MetricObject[][])])
      return `${await all.metrics()}${await shared.metrics()}`
    },
    contentType: own.contentType,
  }
}

const TOPIC = 'metrics'

/** Two measurements of the event loop's delay. */
const FIRST_DELAYS_MS = 25

/** Starts to measure the process itself at the first scrape: the event loop's delay is measured a hundred times a
 * second, which an idle service should not do if its metrics are never read. */
function watchProcess(registry: Registry): () => Promise<void> {
  let started: Promise<void> | undefined
  return () => {
    if (started === undefined) {
      collectDefaultMetrics({ register: registry })
      started = sleep(FIRST_DELAYS_MS)
    }
    return started
  }
}

/** Labels each worker's metrics with its name, so that a counter restarts only if its worker does. */
async function ownMetrics(own: Registry, peers: Peers): Promise<MetricObject[]> {
  const name = peers.name()
  if (name !== undefined) own.setDefaultLabels({ worker: name })
  const metrics = await own.getMetricsAsJSON()
  // No values are added up, since each worker has its own label; but some aggregators would drop metrics.
  return metrics.map((metric) => ({ ...metric, aggregator: 'sum' }))
}

/** The metrics that this process counts. */
function countOwn(registry: Registry): Omit<Metrics, 'disk' | 'text' | 'contentType'> {
  const responses = createResponseMetrics(registry)
  const delivered = new Counter({
    name: 'gatehouse_delivered_bytes_total',
    help: 'Bytes of files that readers got from us.',
    labelNames: ['environment'],
    registers: [registry],
  })
  const closed = new Counter({
    name: 'gatehouse_unfinished_closed_total',
    help: 'Connections closed because requests that had not arrived whole took too much memory.',
    registers: [registry],
  })
  const refused = new Counter({
    name: 'gatehouse_staff_refused_total',
    help: 'Refused sign-ins, links, roles, origins and tokens of the dashboard and the management API, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  })
  // Each reason is there from the start, so that the first one of its kind is a growth.
  for (const reason of REFUSALS) refused.inc({ reason }, 0)
  return {
    async observe({ method, routeOptions, isSelfRequest }, { statusCode, elapsedTime }) {
      if (isSelfRequest) return
      responses.of(method, routeOptions.url ?? 'unknown', statusCode).count(elapsedTime / 1000)
    },
    responses,
    fastPath: createFastPathMetrics(registry),
    delivered: (environment, bytes) => delivered.inc({ environment }, bytes),
    closedUnfinished: (count) => closed.inc(count),
    refused: (reason) => refused.inc({ reason }),
  }
}

/** Registers the metrics of this process: its version, the webhook calls it has sent, and its connections. */
function registerProcessMetrics({ control, environments }: Context, registry: Registry): void {
  new Gauge({
    name: 'gatehouse_build_info',
    help: 'Always 1; the labels say which version runs, on which Node.js and database.',
    labelNames: ['version', 'node', 'database'],
    registers: [registry],
  }).set({ version: version(), node: process.version, database: control.engine }, 1)
  new Counter({
    name: 'gatehouse_webhook_calls_total',
    help: 'Webhooks that were sent, by whether the receiver took them.',
    labelNames: ['environment', 'outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const environment of ENVIRONMENTS) {
        for (const [outcome, count] of Object.entries(environments[environment].webhookCalls)) {
          this.inc({ environment, outcome }, count)
        }
      }
    },
  })
  if (control.connections() === undefined) return
  new Gauge({
    name: 'gatehouse_database_connections',
    help: 'Connections to PostgreSQL for requests: busy, idle, and the limit.',
    labelNames: ['schema', 'state'],
    registers: [registry],
    collect() {
      const databases = { control, ...mapEnvironments(environments) }
      for (const [schema, database] of Object.entries(databases)) {
        const use = database.connections()
        if (use === undefined) continue
        this.set({ schema, state: 'busy' }, use.open - use.idle)
        this.set({ schema, state: 'idle' }, use.idle)
        this.set({ schema, state: 'limit' }, use.limit)
      }
    },
  })
}

/** Calls to the payment providers: how many, and how long they took together. */
function registerProviderCalls({ environments }: Context, registry: Registry): void {
  const each = (
    set: (labels: Record<string, string>, sum: { calls: number; seconds: number }) => void,
  ) => {
    for (const environment of ENVIRONMENTS) {
      for (const { operation, outcome, ...sum } of environments[environment].providerCalls.list()) {
        set({ environment, operation, outcome }, sum)
      }
    }
  }
  const addCounter = (name: string, help: string, of: 'calls' | 'seconds') =>
    new Counter({
      ...{ name, help, labelNames: ['environment', 'operation', 'outcome'], registers: [registry] },
      collect() {
        this.reset()
        each((labels, sum) => this.inc(labels, sum[of]))
      },
    })
  addCounter(
    'gatehouse_provider_calls_total',
    'Calls to the payment provider, by what they were for and whether it answered.',
    'calls',
  )
  addCounter(
    'gatehouse_provider_call_seconds_total',
    'The time that calls to the payment provider have taken together.',
    'seconds',
  )
}

const mapEnvironments = (environments: Context['environments']) =>
  Object.fromEntries(ENVIRONMENTS.map((name) => [name, environments[name].database]))
