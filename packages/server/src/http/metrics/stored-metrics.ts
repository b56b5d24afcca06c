import { Gauge, type Registry } from 'prom-client'
import { type Context, ENVIRONMENTS } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { countAllRoughly } from '../../domain/access/counts/all-applications.ts'
import { countUnsent, findOldestDue } from '../../domain/mail/outbox.ts'
import { countPending, findOldestPending } from '../../domain/payments/orders/pending-counts.ts'
import { countOpenFindings } from '../../domain/payments/reconcile/findings.ts'
import { countUnsentStaffMails } from '../../domain/staff/mails.ts'
import { countEndpoints, findOldestDueDelivery } from '../../domain/webhooks/waiting.ts'

type Values = { value: number; labels?: Record<string, string> }[]

/** The metrics that come from the database: they are the same in every process. */
export function registerStoredMetrics(ctx: Context, registry: Registry): void {
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

  /** Adds a gauge with values for each environment. */
  function add(name: string, help: string, label: string[], read: (db: Db) => Promise<Values>) {
    new Gauge({
      ...{ name, help, labelNames: ['environment', ...label], registers: [registry] },
      async collect() {
        for (const environment of ENVIRONMENTS) {
          const found = await read(ctx.environments[environment].database.read)
          for (const { value, labels } of found) this.set({ environment, ...labels }, value)
        }
      },
    })
  }

  const mails = 'Mails that wait, are being sent, or were given up.'
  add('gatehouse_mails', mails, ['status'], async (db) =>
    Object.entries(await countUnsent(db)).map(([status, value]) => ({ value, labels: { status } })),
  )
  const mailAge = 'How long the mail that has waited longest has been due; 0 if none is.'
  add('gatehouse_mail_oldest_seconds', mailAge, [], async (db) => {
    const due = await findOldestDue(db)
    return [{ value: due === undefined ? 0 : Math.max(0, (Date.now() - due) / 1000) }]
  })
  const orders = 'Payments and refunds that wait for the payment provider.'
  add('gatehouse_provider_orders', orders, ['kind'], async (db) => {
    const { payments, refunds } = await countPending(db)
    return [
      { value: payments, labels: { kind: 'payment' } },
      { value: refunds, labels: { kind: 'refund' } },
    ]
  })
  const orderAge = 'How long the oldest order has waited for the payment provider; 0 if none does.'
  add('gatehouse_provider_order_oldest_seconds', orderAge, [], async (db) => {
    const created = await findOldestPending(db)
    return [{ value: created === undefined ? 0 : Math.max(0, Date.now() / 1000 - created) }]
  })
  const differences =
    "Differences between the payment provider's books and ours that staff have to look at."
  add('gatehouse_reconciliation_open', differences, [], async (db) => [
    { value: await countOpenFindings(db) },
  ])
  const endpoints = 'Webhook endpoints by state.'
  add('gatehouse_webhook_endpoints', endpoints, ['state'], async (db) =>
    Object.entries(await countEndpoints(db)).map(([state, value]) => ({
      value,
      labels: { state },
    })),
  )
  const webhookAge =
    'How long the event has been due that has waited longest for an endpoint that takes events; 0 if none is.'
  add('gatehouse_webhook_oldest_seconds', webhookAge, [], async (db) => {
    const due = await findOldestDueDelivery(db, Date.now())
    return [{ value: due === undefined ? 0 : Math.max(0, (Date.now() - due) / 1000) }]
  })
  const access = 'Access records that are not revoked, without the changes of the last moments.'
  add('gatehouse_access_records', access, [], async (db) => [{ value: await countAllRoughly(db) }])
}
