import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { listRows, updateRows } from '../../../db/queries/rows.ts'
import { databases } from '../../../testing/databases.ts'
import { useBooks } from '../../../testing/stripe/books.ts'
import { RENEWAL_PERIOD_S } from '../../../testing/stripe/stripe-shop.ts'
import { DAY } from '../../../testing/time.ts'
import {
  dismissFinding,
  dropFindings,
  listDismissedFindings,
  listOpenFindings,
  type OpenFinding,
  recordFindings,
  subjectOf,
} from './findings.ts'
import { reconcile } from './reconcile.ts'

const REAL_TIME = 5_000_900

describe.each(databases)('a finding of a comparison, on $name,', (database) => {
  let payment: string
  const { fake, service, app, env, work, buy, subscribe, paymentOf, compare } = useBooks(database)
  const db = () => env().database

  beforeAll(async () => {
    payment = (await buy('ann')).payment_id
  })
  afterEach(async () => {
    fake.fault = () => undefined
    await db().write((trx) => trx.deleteFrom('reconciliation_findings').execute())
    await setStatus('succeeded')
  })

  const setStatus = (status: 'pending' | 'succeeded') =>
    db().write((trx) =>
      updateRows(trx, 'payments', { aid: app.aid, id: payment }, { status, due: null }),
    )

  const finding = (changes: Partial<OpenFinding> = {}): OpenFinding => ({
    ...{ kind: 'amount_differs', message: 'first', at: 7 },
    ...{ aid: app.aid, paymentId: payment, providerRef: 'pi_1', amount: 499, currency: 'EUR' },
    ...changes,
  })

  async function record(...findings: OpenFinding[]) {
    await db().write((trx) => recordFindings(trx, findings, REAL_TIME))
    return await listOpenFindings(db().read)
  }

  it('is stored with all that it says, at the second in which it was found', async () => {
    expect(await record(finding())).toMatchObject([
      {
        ...{ kind: 'amount_differs', subject: 'pi_1', message: 'first', aid: app.aid, at: 7 },
        ...{
          payment_id: payment,
          provider_ref: 'pi_1',
          amount: 499,
          currency: 'EUR',
          found: 5_000,
        },
      },
    ])
  })

  it('is about the charge, or else about the payment', () => {
    expect(subjectOf(finding())).toBe('pi_1')
    const { providerRef: _, ...unlisted } = finding()
    expect(subjectOf(unlisted)).toBe(payment)
    const { paymentId: __, ...unknown } = unlisted
    expect(subjectOf(unknown)).toBe('')
  })

  it('that is found again has the newer text, and stays one', async () => {
    await record(finding())
    expect(await record(finding({ message: 'second' }))).toMatchObject([{ message: 'second' }])
  })

  it('is dropped only while it is open', async () => {
    const open = await record(finding(), finding({ providerRef: 'pi_2' }))
    const [first, second] = open.map(({ id }) => id) as [string, string]
    await db().write((trx) => dismissFinding(trx, first, REAL_TIME))
    await db().write((trx) => dropFindings(trx, [first, second]))
    await db().write((trx) => dropFindings(trx, []))
    expect(await listOpenFindings(db().read)).toEqual([])
    expect(await listDismissedFindings(db().read)).toMatchObject([{ id: first, dismissed: 5_000 }])
  })

  it('can be dismissed once', async () => {
    const [open] = await record(finding())
    const dismiss = (id: string) => db().write((trx) => dismissFinding(trx, id, REAL_TIME))
    expect(await dismiss(open?.id as string)).toMatchObject({ kind: 'amount_differs' })
    for (const id of [open?.id as string, 'unknown']) {
      await expect(dismiss(id)).rejects.toMatchObject({ code: 'finding_not_found' })
    }
  })

  it.each([
    ['a charge in doubt lets its order be tried immediately', {}, REAL_TIME],
    ['another kind leaves the order alone', { kind: 'amount_differs' as const }, null],
  ])('dismissed: %s', async (_, changes, due) => {
    await setStatus('pending')
    const [open] = await record(finding({ kind: 'charge_in_doubt', ...changes }))
    await db().write((trx) => dismissFinding(trx, open?.id as string, REAL_TIME))
    const row = await paymentOf(payment)
    expect(row.due === null ? null : Number(row.due)).toBe(due)
  })

  it('dismissed: a charge in doubt leaves a payment alone that is paid by now', async () => {
    const [open] = await record(finding({ kind: 'charge_in_doubt' }))
    await db().write((trx) => dismissFinding(trx, open?.id as string, REAL_TIME))
    expect(await paymentOf(payment)).toMatchObject({ status: 'succeeded', due: null })
  })

  it('dismissed: a charge in doubt of no payment or no application is only dismissed', async () => {
    const { paymentId: _, ...unpaid } = finding({ kind: 'charge_in_doubt' })
    const { aid: __, ...ownerless } = finding({ kind: 'charge_in_doubt', providerRef: 'pi_2' })
    for (const { id } of await record(unpaid, ownerless)) {
      await db().write((trx) => dismissFinding(trx, id, REAL_TIME))
    }
    expect(await listDismissedFindings(db().read)).toHaveLength(2)
  })
  it('stays if it is older than what is compared, and goes once that is compared', async () => {
    const { seconds } = service.clock
    await record(finding({ providerRef: 'pi_gone', at: seconds - 30 * DAY }))
    await reconcile(env(), { since: seconds - DAY })
    expect(await listOpenFindings(db().read)).toHaveLength(1)
    await compare()
    expect(await listOpenFindings(db().read)).toEqual([])
  })

  it('about a charge in doubt stays while its payment waits', async () => {
    const { subscription_id } = await subscribe('ben')
    service.clock.advance(RENEWAL_PERIOD_S)
    fake.fault = ({ route }) => (route === 'POST /v1/payment_intents' ? 'error_before' : undefined)
    await work()
    const waiting = { aid: app.aid, subscription_id, status: 'pending' } as const
    const [renewal] = await listRows(db().read, 'payments', waiting)
    const doubt = { kind: 'charge_in_doubt', providerRef: 'pi_old' } as const
    const { paymentId: _, ...ofNoPayment } = finding({ ...doubt, providerRef: 'pi_older' })
    await record(finding({ ...doubt, paymentId: renewal?.id as string }), ofNoPayment)
    const left = async () => {
      await compare()
      return (await listOpenFindings(db().read)).map(({ provider_ref }) => provider_ref)
    }
    expect(await left()).toEqual(['pi_old'])
    fake.fault = () => undefined
    service.clock.advance(3_600)
    await work()
    expect(await left()).toEqual([])
  })
})
