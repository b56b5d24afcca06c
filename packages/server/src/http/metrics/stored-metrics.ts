import { Gauge, type Registry } from 'prom-client'
import { type Context, ENVIRONMENTS } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import type { Millis } from '../../db/tables.ts'
import { countAllRoughly } from '../../domain/access/counts/all-applications.ts'
import { countUnsent, findOldestDue } from '../../domain/mail/outbox.ts'
import { readApiUsage } from '../../domain/payments/api-usage.ts'
import { countPending, findOldestPending } from '../../domain/payments/orders/pending-counts.ts'
import { countOpenFindings } from '../../domain/payments/reconcile/findings.ts'
import { countUnsentStaffMails } from '../../domain/staff/mails.ts'
import { countEndpoints, findOldestDueDelivery } from '../../domain/webhooks/waiting.ts'

type Values = { value: number; labels?: Record<string, string> }[]

/** A gauge with values for each environment. */
interface StoredGauge {
  name: string
  help: string
  /** The label besides the environment's. */
  label?: string
  read(db: Db): Promise<Values>
}

const ageOf = (since: Millis | undefined): Values => [
  { value: since === undefined ? 0 : Math.max(0, (Date.now() - since) / 1000) },
]

const countsBy = (label: string, counts: Record<string, number>): Values =>
  Object.entries(counts).map(([name, value]) => ({ value, labels: { [label]: name } }))

const GAUGES: readonly StoredGauge[] = [
  {
    name: 'gatehouse_mails',
    help: 'Mails that wait, are being sent, or were given up.',
    label: 'status',
    read: async (db) => countsBy('status', await countUnsent(db)),
  },
  {
    name: 'gatehouse_mail_oldest_seconds',
    help: 'How long the mail that has waited longest has been due; 0 if none is.',
    read: async (db) => ageOf(await findOldestDue(db)),
  },
  {
    name: 'gatehouse_provider_orders',
    help: 'Payments and refunds that wait for the payment provider.',
    label: 'kind',
    read: async (db) => {
      const { payments, refunds } = await countPending(db)
      return countsBy('kind', { payment: payments, refund: refunds })
    },
  },
  {
    name: 'gatehouse_provider_order_oldest_seconds',
    help: 'How long the oldest order has waited for the payment provider; 0 if none does.',
    read: async (db) => {
      const created = await findOldestPending(db)
      return ageOf(created === undefined ? undefined : created * 1000)
    },
  },
  {
    name: 'gatehouse_reconciliation_open',
    help: "Differences between the payment provider's books and ours that staff have to look at.",
    read: async (db) => [{ value: await countOpenFindings(db) }],
  },
  {
    name: 'gatehouse_webhook_endpoints',
    help: 'Webhook endpoints by state.',
    label: 'state',
    read: async (db) => countsBy('state', await countEndpoints(db)),
  },
  {
    name: 'gatehouse_webhook_oldest_seconds',
    help: 'How long the event has been due that has waited longest for an endpoint that takes events; 0 if none is.',
    read: async (db) => ageOf(await findOldestDueDelivery(db, Date.now())),
  },
  {
    name: 'gatehouse_access_records',
    help: 'Access records that are not revoked, without the changes of the last moments.',
    read: async (db) => [{ value: await countAllRoughly(db) }],
  },
]

/** The metrics that come from the database: they are the same in every process. */
export function registerStoredMetrics(ctx: Context, registry: Registry): void {
  registerReads(ctx, registry)
  new Gauge({
    name: 'gatehouse_on_hold',
    help: '1 while the installation is on hold and sends nothing out, else 0.',
    registers: [registry],
    async collect() {
      this.set((await ctx.gate.state()).hold ? 1 : 0)
    },
  })
  new Gauge({
    name: 'gatehouse_staff_mails',
    help: 'Mails to staff that wait, are being sent, or were given up in the last 30 days.',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const counts = await countUnsentStaffMails(ctx.control.read)
      for (const [status, count] of Object.entries(counts)) this.set({ status }, count)
    },
  })
  for (const { name, help, label, read } of GAUGES) {
    new Gauge({
      ...{ name, help, labelNames: ['environment', ...(label ? [label] : [])] },
      registers: [registry],
      async collect() {
        for (const environment of ENVIRONMENTS) {
          const found = await read(ctx.environments[environment].database.read)
          for (const { value, labels } of found) this.set({ environment, ...labels }, value)
        }
      },
    })
  }
}

/** The reads of all processes in 30 days, beside what the provider allows. */
function registerReads({ environments }: Context, registry: Registry): void {
  new Gauge({
    name: 'gatehouse_provider_reads',
    help: 'Reads from the payment provider in the last 30 days by all processes, and how many it allows; none if it sets no limit.',
    labelNames: ['environment', 'kind'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const environment of ENVIRONMENTS) {
        const usage = await readApiUsage(environments[environment])
        if (!usage) continue
        this.set({ environment, kind: 'made' }, usage.reads)
        this.set({ environment, kind: 'allowed' }, usage.allowed)
      }
    },
  })
}
