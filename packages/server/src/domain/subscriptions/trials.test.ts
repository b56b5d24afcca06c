import { describe, expect, it } from 'vitest'
import { useDomainSubscriptions } from '../../testing/payments/use-domain-subscriptions.ts'
import { DAY } from '../../testing/time.ts'
import { trialNoticeTime } from './subscriptions.ts'
import { claimTrial, hasHadTrial, type TrialReader } from './trials.ts'

const { shop, env, db, subscribe } = useDomainSubscriptions()
const KEY = Buffer.alloc(32)

const reader = (more: Partial<TrialReader> = {}): TrialReader => ({
  ...{ aid: shop.aid, rid: 'pass', uid: undefined, emails: [], ...more },
})
const claim = (more: Partial<TrialReader>) =>
  db().write((trx) => claimTrial(trx, KEY, reader(more), env().clock()))
const hasHad = (more: Partial<TrialReader>) => hasHadTrial(db().read, KEY, reader(more))

describe('a trial', () => {
  it('is given once per address, however it is written', async () => {
    expect(await claim({ emails: ['ann@example.com', 'ANN@example.com'] })).toBe(true)
    expect(await claim({ emails: ['Ann@example.com'] })).toBe(false)
    expect(await claim({ emails: ['bob@example.com'] })).toBe(true)
  })

  it('is given once per card', async () => {
    expect(await claim({ emails: ['ann@example.com'], card: 'visa' })).toBe(true)
    expect(await claim({ emails: ['bob@example.com'], card: 'visa' })).toBe(false)
    // The refused one has not used up the address.
    expect(await claim({ emails: ['bob@example.com'], card: 'other' })).toBe(true)
  })

  it('is given for each resource', async () => {
    expect(await claim({ emails: ['ann@example.com'] })).toBe(true)
    expect(await claim({ emails: ['ann@example.com'], rid: 'other' })).toBe(true)
  })

  it('is given to somebody of whom nothing is known', async () => {
    expect([await claim({}), await claim({})]).toEqual([true, true])
  })
})

describe('a reader who has had a trial', () => {
  const begin = async () =>
    (await subscribe({ email: 'ann@example.com', terms: { trial_days: 14 } })).uid

  it('is known by the uid, with any address', async () => {
    const uid = await begin()
    expect(await hasHad({ uid })).toBe(true)
    expect(await claim({ uid, emails: ['new@example.com'] })).toBe(false)
    expect(await hasHad({ uid: 'other' })).toBe(false)
    expect(await hasHad({ uid, rid: 'other' })).toBe(false)
  })

  it('is known by the address of the user, before it was ever marked', async () => {
    const uid = await begin()
    const email = 'later@example.com'
    await db().write((trx) =>
      trx.updateTable('users').set({ email, email_key: email }).where('uid', '=', uid).execute(),
    )
    expect(await hasHad({ emails: ['nobody@example.com', email] })).toBe(true)
    expect(await hasHad({ emails: ['nobody@example.com'] })).toBe(false)
  })

  it('has none if the subscription had none', async () => {
    const { uid } = await subscribe()
    expect(await hasHad({ uid })).toBe(false)
  })
})

it('is noticed three days before it ends, or after half of it', () => {
  expect(trialNoticeTime(14 * DAY, 0)).toBe(11 * DAY)
  expect(trialNoticeTime(6 * DAY, 0)).toBe(3 * DAY)
  expect(trialNoticeTime(1_000 + 2 * DAY, 1_000)).toBe(1_000 + DAY)
  expect(trialNoticeTime(3, 0)).toBe(2)
})
