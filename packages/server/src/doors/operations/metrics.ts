import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObject,
  Registry,
} from 'prom-client'
import { type Context, ENVIRONMENTS } from '../../context.ts'
import { countUnsent } from '../../outbox/outbox.ts'
import { countWaiting } from '../../payments/waiting.ts'
import type { Siblings } from '../siblings.ts'

export interface Metrics {
  /** Hook: counts an answer. */
  observe(request: FastifyRequest, reply: FastifyReply): Promise<void>
  count(answer: Answer): void
  /** Counts bytes of files that readers got. */
  delivered(environment: string, bytes: number): void
  text(): Promise<string>
  contentType: string
}

interface Answer {
  method: string
  /** The pattern, never the path: a path can hold a name, and would make endless labels. */
  route: string
  status: number
  seconds: number
}

export function createMetrics(ctx: Context, siblings: Siblings): Metrics {
  const own = new Registry()
  const counted = countOwn(own)
  const shared = new Registry()
  lookUp(ctx, shared)
  siblings.onAsked(TOPIC, () => ownMetrics(own, siblings))
  return {
    ...counted,
    async text() {
      const [mine, others] = await Promise.all([ownMetrics(own, siblings), siblings.ask(TOPIC)])
      const all = AggregatorRegistry.aggregate([mine, ...(others as MetricObject[][])])
      return `${await all.metrics()}${await shared.metrics()}`
    },
    contentType: own.contentType,
  }
}

const TOPIC = 'metrics'

/** Each worker's figures have its name on them, so that a counter begins anew only where its worker did. */
async function ownMetrics(own: Registry, siblings: Siblings): Promise<MetricObject[]> {
  const name = siblings.name()
  if (name !== undefined) own.setDefaultLabels({ worker: name })
  const metrics = await own.getMetricsAsJSON()
  // Nothing is added up, since no two have the same name on them; but some would be left out.
  return metrics.map((metric) => ({ ...metric, aggregator: 'sum' }))
}

/** What this process counts. */
function countOwn(registry: Registry): Pick<Metrics, 'observe' | 'count' | 'delivered'> {
  collectDefaultMetrics({ register: registry })
  const answers = new Counter({
    name: 'gatehouse_http_answers_total',
    help: 'Answers by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const duration = new Histogram({
    name: 'gatehouse_http_duration_seconds',
    help: 'Time from the request to its answer.',
    labelNames: ['route'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const delivered = new Counter({
    name: 'gatehouse_delivered_bytes_total',
    help: 'Bytes of files that readers got from us.',
    labelNames: ['environment'],
    registers: [registry],
  })
  function count({ method, route, status, seconds }: Answer): void {
    answers.inc({ method, route, status })
    duration.observe({ route }, seconds)
  }
  return {
    async observe({ method, routeOptions }, { statusCode: status, elapsedTime }) {
      const route = routeOptions.url ?? 'unknown'
      count({ method, route, status, seconds: elapsedTime / 1000 })
    },
    count,
    delivered: (environment, bytes) => delivered.inc({ environment }, bytes),
  }
}

/** What the database knows: the same whichever process is asked. */
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
    name: 'gatehouse_provider_orders',
    help: 'Payments and refunds that wait for the payment provider.',
    labelNames: ['environment', 'kind'],
    registers: [registry],
    async collect() {
      for (const environment of ENVIRONMENTS) {
        const { payments, refunds } = await countWaiting(
          ctx.environments[environment].database.read,
        )
        this.set({ environment, kind: 'payment' }, payments)
        this.set({ environment, kind: 'refund' }, refunds)
      }
    },
  })
}
