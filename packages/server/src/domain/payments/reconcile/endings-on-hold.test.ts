import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { updateRows } from '../../../db/queries/rows.ts'
import { databases, type TestInstallation } from '../../../testing/databases.ts'
import { backUp, restoreInstallation } from '../../../testing/restores/restore.ts'
import {
  startTestService,
  type TestApplication,
  type TestService,
} from '../../../testing/service.ts'
import { actionsOf, kindsOf, openBooks } from '../../../testing/stripe/books.ts'
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts'
import { RENEWAL_PERIOD_S, sandboxSettings } from '../../../testing/stripe/stripe-shop.ts'
import { putOnHold, removeHold } from '../../installation/hold.ts'
import type { SubscriptionRow } from '../../subscriptions/subscriptions.ts'

describe.each(databases)('a subscription that ends in a restored backup, on $name,', (database) => {
  let fake: FakeStripe
  let service: TestService
  let app: TestApplication
  let installation: TestInstallation | undefined
  const { env, work, subscribe, hasAccess, compare } = actionsOf(() => ({ fake, service, app }))

  beforeEach(async () => {
    ;({ fake, service, app } = await openBooks(database))
  })
  afterEach(async () => {
    await service.requireInvariants()
    await service.stop()
    await installation?.remove()
    await fake.stop()
  })

  const ann = { rid: 'pass', user_ref: 'ann' }
  const change = (values: Partial<SubscriptionRow>) =>
    env().database.write((trx) => updateRows(trx, 'subscriptions', { aid: app.aid }, values))
  const statusOfAnn = async () => (await app.client.searchSubscriptions(ann)).data[0]?.status

  /** Starts a service with the data of the backup, on hold. */
  async function restore(file: string): Promise<void> {
    const old = service
    installation = await restoreInstallation(database, old.installation, file)
    service = await startTestService(database, { env: sandboxSettings(fake), installation })
    service.clock.now = old.clock.now
    fake.ledger.now = () => service.clock.now
    await old.stop()
    app = { ...app, environment: env(), client: app.clientAt(service.url) }
    const hold = { cause: 'restored', since: service.clock.now } as const
    await service.ctx.control.write((trx) => putOnHold(trx, hold))
  }

  it.each([
    {
      status: 'canceled',
      before: () => app.client.cancelSubscription(ann),
      since: () => app.client.resumeSubscription(ann),
    },
    {
      status: 'past_due',
      before: () => change({ status: 'past_due', next_step: 'end' }),
      since: () => change({ next_step: 'renew' }),
    },
  ] as const)('as $status, and was paid since, waits for the reconciliation', async (example) => {
    await subscribe('ann')
    await example.before()
    const file = await backUp(service.ctx)
    await example.since()
    service.clock.advance(RENEWAL_PERIOD_S)
    await work()
    expect(await statusOfAnn()).toBe('active')

    await restore(file)
    await work()
    expect(await statusOfAnn()).toBe(example.status)
    const { repaired, open } = await compare()
    expect([kindsOf(repaired), open]).toEqual([['renewal_adopted'], []])
    await service.ctx.control.write(removeHold)
    await work()
    expect(await hasAccess('ann', 'pass')).toBe(true)
  })

  it('ends after the hold if it was not paid', async () => {
    await subscribe('ann')
    await app.client.cancelSubscription(ann)
    await restore(await backUp(service.ctx))
    service.clock.advance(RENEWAL_PERIOD_S)
    await work()
    expect(await statusOfAnn()).toBe('canceled')
    await service.ctx.control.write(removeHold)
    await work()
    expect(await statusOfAnn()).toBe('ended')
  })
})
