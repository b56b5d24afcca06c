import { setTimeout as sleep } from 'node:timers/promises'
import type { Gatehouse } from '@gatehouse/sdk'
import { expect } from 'vitest'
import type { Context } from '../../../packages/server/src/context.ts'
import type { Db } from '../../../packages/server/src/db/database.ts'
import { withContext } from '../../../packages/server/src/testing/installations.ts'
import type { Subscriber } from '../../../packages/server/src/testing/payments/payment-fixture.ts'
import type { KillLoad } from '../../../packages/server/src/testing/processes/kill-load.ts'
import type { TestSmtp } from '../../../packages/server/src/testing/smtp/smtp.ts'
import type { FakeStripe } from '../../../packages/server/src/testing/stripe/fake-stripe.ts'
import { ARTICLE, type Buyer } from './buyers.ts'
import type { FailoverInstallation } from './installation.ts'

/** Longer than the pause after a hold, and than the lease of a mail. */
const MAX_SETTLE_MS = 240_000

/** Waits until nothing is due or being sent any more. */
export async function untilSettled(installation: FailoverInstallation): Promise<void> {
  await withContext(installation, async (ctx) => {
    const end = performance.now() + MAX_SETTLE_MS
    for (;;) {
      const waiting = await countWaiting(ctx, installation.fake)
      if (Object.values(waiting).every((count) => count === 0)) return
      if (performance.now() > end) throw new Error(`still waiting: ${JSON.stringify(waiting)}`)
      await sleep(500)
    }
  })
}

async function countWaiting({ environments }: Context, fake: FakeStripe) {
  const waiting = { orders: 0, renewals: 0, mails: 0, checkouts: 0 }
  for (const { database, clock } of Object.values(environments)) {
    const { read } = database
    const orders = [
      await read.selectFrom('payments').select('id').where('status', '=', 'pending').execute(),
      await read.selectFrom('refunds').select('id').where('status', '=', 'pending').execute(),
    ]
    waiting.orders += orders.flat().length
    const due = read.selectFrom('subscriptions').select('id').where('next_due', '<=', clock())
    waiting.renewals += (await due.execute()).length
    const unsent = read
      .selectFrom('outbox')
      .select('id')
      .where('status', 'in', ['queued', 'sending'])
    waiting.mails += (await unsent.execute()).length
    const open = read.selectFrom('checkouts').select('provider_ref').where('status', '=', 'open')
    for (const { provider_ref } of await open.execute()) {
      const session = fake.ledger.sessions.get(provider_ref ?? '')
      if (session?.payment_status === 'paid') waiting.checkouts++
    }
  }
  return waiting
}

/** Requires that each charge and each refund at the provider was made once, for a row of ours. */
export async function requireSameMoney(installation: FailoverInstallation): Promise<void> {
  const { ledger } = installation.fake
  await withContext(installation, async ({ environments }) => {
    const ours = { payments: [] as string[], refunds: [] as string[] }
    for (const { database } of Object.values(environments)) {
      const { payments, refunds } = await readMoney(database.read)
      ours.payments.push(...payments)
      ours.refunds.push(...refunds)
    }
    const charges = [...ledger.charges.values()].filter(({ paid }) => paid)
    const theirs = charges.map((one) => `${one.payment_intent} ${one.amount}`)
    expect(theirs.sort()).toEqual(ours.payments.sort())
    const back = [...ledger.refunds.values()].map((one) => `${one.payment_intent} ${one.amount}`)
    expect(back.sort()).toEqual(ours.refunds.sort())
  })
}

async function readMoney(db: Db) {
  const rows = await db.selectFrom('payments').selectAll().execute()
  const taken = rows.filter(({ status }) => status !== 'failed')
  const refOf = new Map(rows.map(({ id, provider_ref }) => [id, provider_ref]))
  const refunds = await db.selectFrom('refunds').selectAll().execute()
  return {
    payments: taken.map((one) => `${one.provider_ref} ${one.amount}`),
    refunds: refunds.map((one) => `${refOf.get(one.payment_id)} ${one.amount}`),
  }
}

/** Requires that no payment and no period was charged twice, at any time. */
export function requireNoDoubleCharge({ ledger }: FakeStripe): void {
  const charges = [...ledger.charges.values()].filter(({ paid }) => paid)
  const purposes = charges.map(({ metadata: one }) =>
    [one.gatehouse_payment, one.gatehouse_subscription, one.gatehouse_period].join(' '),
  )
  expect(purposes.length).toBe(new Set(purposes).size)
  const periods = charges.flatMap(({ metadata: one }) =>
    one.gatehouse_period ? `${one.gatehouse_subscription} ${one.gatehouse_period}` : [],
  )
  expect(periods.length).toBe(new Set(periods).size)
  const back = [...ledger.refunds.values()].map(({ metadata }) => metadata.gatehouse_refund)
  expect(back.length).toBe(new Set(back).size)
}

/** Requires that everyone whose period has ended was charged once more. Each pays another amount. Returns how many were. */
export async function requireRenewals(
  installation: FailoverInstallation,
  subscribers: readonly Subscriber[],
): Promise<number> {
  return await withContext(installation, async ({ environments: { sandbox } }) => {
    const due = subscribers.filter(({ ends }) => ends <= sandbox.clock())
    const charges = [...installation.fake.ledger.charges.values()].filter(({ paid }) => paid)
    const sandboxCharges = charges.filter(({ metadata }) => metadata.gatehouse_rid !== ARTICLE)
    for (const { userRef, amount } of due) {
      const own = sandboxCharges.filter((one) => one.amount === amount)
      expect(own.length, userRef).toBe(2)
    }
    return due.length
  })
}

/** Requires that everybody who has paid has access, but for those who were refunded. */
export async function requireBuyers(client: Gatehouse, buyers: readonly Buyer[], fake: FakeStripe) {
  const live = new Set<string>()
  for await (const { user_ref } of client.listAccess({ rid: ARTICLE, pagesize: 1000 })) {
    live.add(user_ref)
  }
  for (const { ref, intent, isRefunded } of buyers) {
    expect(live.has(ref), ref).toBe(intent !== undefined && !isRefunded)
    const back = [...fake.ledger.refunds.values()].filter((one) => one.payment_intent === intent)
    expect(back.length, ref).toBe(isRefunded ? 1 : 0)
  }
}

/** Requires that the readers of these answered grants have access. */
export async function requireGranted(client: Gatehouse, rid: string, readers: readonly string[]) {
  const live = new Set<string>()
  for await (const { user_ref } of client.listAccess({ rid, pagesize: 1000 })) live.add(user_ref)
  expect(readers.filter((one) => !live.has(one))).toEqual([])
}

/** Requires that no mail came twice: no process of Gatehouse was killed. */
export function requireNoDoubleMail({ mails }: TestSmtp): void {
  const ids = mails.map(({ mail }) => mail.messageId)
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
  expect(twice).toEqual([])
}

/** Requires a mail for each answered grant, unless it was suppressed, and for each row of the outbox. */
export async function requireMails(
  installation: FailoverInstallation,
  { granted }: KillLoad,
): Promise<void> {
  const { mails } = installation.smtp
  const counts = new Map<string, number>()
  for (const { mail } of mails) {
    const token = /token-\w+-/.exec(mail.text ?? '')?.[0]
    if (token !== undefined) counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  const wrong = granted.filter(({ token, suppressed }) => {
    return (counts.get(token) ?? 0) !== (suppressed ? 0 : 1)
  })
  expect(wrong).toEqual([])
  await withContext(installation, async ({ environments: { production } }) => {
    const rows = await production.database.read
      .selectFrom('outbox')
      .select(['id', 'status'])
      .execute()
    expect(rows.filter(({ status }) => status !== 'sent')).toEqual([])
    expect(mails.length).toBe(rows.length)
  })
}
