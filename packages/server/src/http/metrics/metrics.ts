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
import { countUnsent } from '../../domain/mail/outbox.ts'
import { countPending } from '../../domain/payments/orders/pending-counts.ts'
import { countOpenFindings } from '../../domain/payments/reconcile/findings.ts'
import { createFastPathMetrics, type FastPathMetrics } from './fast-path-metrics.ts'
import { createResponseMetrics, type ResponseMetrics } from './response-metrics.ts'

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
  text(): Promise<string>
  contentType: string
}

export function createMetrics(ctx: Context, peers: Peers): Metrics {
  const own = new Registry()
  const counted = countOwn(own)
  const shared = new Registry()
  lookUp(ctx, shared)
  peers.onQuestion(TOPIC, () => ownMetrics(own, peers))
  return {
    ...counted,
    async text() {
      const [mine, others] = await Promise.all([ownMetrics(own, peers), peers.ask(TOPIC)])
      const all = AggregatorRegistry.aggregate([mine, ...(others as MetricObject[][])])
      return `${await all.metrics()}${await shared.metrics()}`
    },
    contentType: own.contentType,
  }
}

const TOPIC = 'metrics'

/** Labels each worker's metrics with its name, so that a counter restarts only if its worker does. */
async function ownMetrics(own: Registry, peers: Peers): Promise<MetricObject[]> {
  const name = peers.name()
  if (name !== undefined) own.setDefaultLabels({ worker: name })
  const metrics = await own.getMetricsAsJSON()
  // No values are added up, since each worker has its own label; but some aggregators would drop metrics.
  return metrics.map((metric) => ({ ...metric, aggregator: 'sum' }))
}

/** The metrics that this process counts. */
function countOwn(registry: Registry): Omit<Metrics, 'text' | 'contentType'> {
  collectDefaultMetrics({ register: registry })
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
  return {
    async observe({ method, routeOptions, isSelfRequest }, { statusCode, elapsedTime }) {
      if (isSelfRequest) return
      responses.of(method, routeOptions.url ?? 'unknown', statusCode).count(elapsedTime / 1000)
    },
    responses,
    fastPath: createFastPathMetrics(registry),
    delivered: (environment, bytes) => delivered.inc({ environment }, bytes),
    closedUnfinished: (count) => closed.inc(count),
  }
}

/** The metrics that come from the database: they are the same in every process. */
function lookUp(ctx: Context, registry: Registry): void {
  new Gauge({
    name: 'gatehouse_mails',
    help: 'Mails that wait, are being sent, or were given up.',
    labelNames: ['environment', 'status'],
    registers: [registry],
    async collect() {
      for (const environment of ENVIRONMENTS) {
        const counts = await countUnsent(ctx.environments[environment].database.read)
        for (const [status, count] of Object.entries(counts))
          this.set({ environment, status }, count)
      }
    },
  })
  new Gauge({
    name: 'gatehouse_on_hold',
    help: '1 while the installation is on hold and sends nothing out, else 0.',
    registers: [registry],
    async collect() {
      this.set((await ctx.gate.state()).hold ? 1 : 0)
    },
  })
  new Gauge({
    name: 'gatehouse_provider_orders',
    help: 'Payments and refunds that wait for the payment provider.',
    labelNames: ['environment', 'kind'],
    registers: [registry],
    async collect() {
      for (const environment of ENVIRONMENTS) {
        const { payments, refunds } = await countPending(
          ctx.environments[environment].database.read,
        )
        this.set({ environment, kind: 'payment' }, payments)
        this.set({ environment, kind: 'refund' }, refunds)
      }
    },
  })
  new Gauge({
    name: 'gatehouse_reconciliation_open',
    help: "Differences between the payment provider's books and ours that staff have to look at.",
    labelNames: ['environment'],
    registers: [registry],
    async collect() {
      for (const environment of ENVIRONMENTS) {
        const count = await countOpenFindings(ctx.environments[environment].database.read)
        this.set({ environment }, count)
      }
    },
  })
}
