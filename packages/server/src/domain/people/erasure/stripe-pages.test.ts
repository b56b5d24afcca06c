import { describe, expect, it } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { MONTHLY, moneyOf } from '../../../testing/payments/money-rows.ts'
import { getPage, redirectTarget, submitForm } from '../../../testing/payments/page-client.ts'
import { sandboxSettings } from '../../../testing/stripe/stripe-shop.ts'
import {
  useApplication,
  useFakeStripe,
  useOwner,
  useService,
} from '../../../testing/use-service.ts'
import { runDuePayments } from '../../payments/orders/payment-loop.ts'
import { runDueSteps, takeDueSteps } from '../../payments/renewals/renewals.ts'

describe.each(databases)(
  'the pages of Stripe that an erased person had open on $name',
  (database) => {
    const fake = useFakeStripe()
    const service = useService(database, () => ({ env: sandboxSettings(fake), useRealTime: true }))
    const owner = useOwner(service)
    const app = useApplication(service, { environment: 'sandbox', resources: ['news', 'pass'] })

    const begin = async (name: string) => {
      const email = `${name}@example.com`
      const { uid } = await app.client.grantAccess({ rid: 'news', email, user_ref: name })
      const link = await app.client.purchaseLink({
        ...{ rid: 'pass', user_ref: name, email, ...MONTHLY },
        expires: Math.floor(Date.now() / 1000) + 3_600,
      })
      const page = redirectTarget(await submitForm(link), link)
      return { uid, session: page.split('/').at(-1) as string }
    }
    const erase = (uid: string) => owner.call('POST', `/sandbox/${app.aid}/people/${uid}/erase`)
    const work = async () => {
      while ((await runDuePayments(app.environment)) > 0);
    }
    const checkoutOf = async (session: string) =>
      (await moneyOf(app)).checkouts.find(({ provider_ref }) => provider_ref === session)
    const expireCalls = () =>
      fake.calls.filter(({ route }) => route === 'POST /v1/checkout/sessions/:id/expire')

    it('are closed by the worker, and not by the request itself', async () => {
      const { uid, session } = await begin('ann')
      const before = expireCalls().length
      expect((await erase(uid)).status).toBe(200)
      expect(expireCalls()).toHaveLength(before)
      expect(fake.ledger.sessions.get(session)?.status).toBe('open')
      await work()
      expect(fake.ledger.sessions.get(session)?.status).toBe('expired')
      expect(await checkoutOf(session)).toMatchObject({ status: 'expired', uid, due: null })
    })

    it('are closed later where Stripe does not answer', async () => {
      const { uid, session } = await begin('bob')
      await erase(uid)
      fake.fault = ({ route }) => (route.endsWith('/expire') ? 'error_before' : undefined)
      await work()
      fake.fault = () => undefined
      const waiting = (await checkoutOf(session))?.due as number
      expect(waiting).toBeGreaterThan(Date.now())
      expect(fake.ledger.sessions.get(session)?.status).toBe('open')
      await app.environment.database.write(async (trx) => {
        await trx
          .updateTable('checkouts')
          .set({ due: Date.now() })
          .where('due', 'is not', null)
          .execute()
      })
      await work()
      expect(fake.ledger.sessions.get(session)?.status).toBe('expired')
      expect((await checkoutOf(session))?.due).toBeNull()
    })

    it('that were paid before they could be closed are refunded', async () => {
      const { uid, session } = await begin('cat')
      await erase(uid)
      fake.pay(session)
      await work()
      const { payments, subscriptions } = await moneyOf(app)
      expect(payments.filter((row) => row.uid === uid)).toMatchObject([
        { status: 'refunded', flag: 'late', amount: 499 },
      ])
      expect(subscriptions.filter((row) => row.uid === uid)).toEqual([])
    })

    it('are closed too where Stripe was making the page during the erasure', async () => {
      const email = 'dan@example.com'
      const { uid } = await app.client.grantAccess({ rid: 'news', email, user_ref: 'dan' })
      const link = await app.client.purchaseLink({
        ...{ rid: 'pass', user_ref: 'dan', email, ...MONTHLY },
        expires: Math.floor(Date.now() / 1000) + 3_600,
      })
      let erased: Promise<unknown> | undefined
      fake.fault = ({ route }) => {
        if (route === 'POST /v1/checkout/sessions') erased ??= erase(uid)
        return undefined
      }
      fake.latency = () => 500
      const response = await submitForm(link)
      fake.fault = () => undefined
      fake.latency = () => 0
      await erased
      expect(response.status).toBe(404)
      await work()
      const session = [...fake.ledger.sessions.values()].at(-1)
      expect(session?.status).toBe('expired')
      expect((await moneyOf(app)).checkouts.filter((row) => row.uid === uid)).toMatchObject([
        { status: 'expired', due: null, provider_ref: session?.id },
      ])
    })

    it('lead to no charge for a renewal that was due', async () => {
      const { uid, session } = await begin('eve')
      fake.pay(session)
      const id = (await checkoutOf(session))?.id
      await getPage(`${app.baseUrl}/checkout/done/${id}`)
      const charges = fake.ledger.charges.size
      await app.environment.database.write(async (trx) => {
        // The renewal is ordered, but not yet sent to Stripe.
        const now = app.environment.clock()
        await trx
          .updateTable('subscriptions')
          .set({ next_due: now })
          .where('uid', '=', uid)
          .execute()
      })
      const [due] = await takeDueSteps(app.environment)
      await runDueSteps(app.environment, due ? [due] : [])
      await erase(uid)
      await work()
      const { payments } = await moneyOf(app)
      expect(
        payments
          .filter((row) => row.uid === uid)
          .map(({ status }) => status)
          .sort(),
      ).toEqual(['failed', 'succeeded'])
      expect(fake.ledger.charges.size).toBe(charges)
    })
  },
)
