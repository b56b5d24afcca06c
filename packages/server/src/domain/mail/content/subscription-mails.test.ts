import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../../db/tables.ts'
import { AT, MANAGE, render } from '../../../testing/payments/payment-mails.ts'
import { DAY } from '../../../testing/time.ts'

describe('the mail about a failed payment', () => {
  it('says when it is tried again, how long access stays, and how to help', async () => {
    const { subject, text } = await render('payment_failed')
    expect(subject).toBe('Magazine: your payment for The news failed')
    expect(text).toMatch(/^Amount: +4\.99 EUR$/m)
    expect(text).toMatch(/^Attempted: +3 March 2027 at 09:00 UTC$/m)
    expect(text).toMatch(/^Next attempt: +4 March 2027 at 09:00 UTC$/m)
    expect(text).toMatch(/^Access until: +10 March 2027 at 09:00 UTC$/m)
    expect(text).toContain(`Update your card:\n${MANAGE}\n`)
  })

  it.each([
    ['declined', 'your card was declined', 'update your card'],
    ['needs_payer', 'your bank needs you to confirm the payment', 'enter your card again'],
    ['no_card', 'no card is saved for it', 'add a card'],
    ['something new', 'the payment did not go through', 'update your card'],
    ['constructor', 'the payment did not go through', 'update your card'],
  ])('says why in plain words: %s', async (failure, why, advice) => {
    const { text } = await render('payment_failed', { failure })
    expect(text).toContain(`We could not charge 4.99 EUR for your subscription to The news: ${why}`)
    expect(text).toMatch(new RegExp(`^To keep your access, please .*${advice}`, 'm'))
    expect(text).not.toContain('something new')
  })

  it('tells of the end when it is not tried again', async () => {
    const { subject, text } = await render('payment_failed', { retry: null, ends: AT })
    expect(subject).toBe('Magazine: your subscription to The news has ended')
    expect(text).toContain(
      'your card was declined. Your subscription has ended, and we will not try again.',
    )
    expect(text).toMatch(/^Access ended: +3 March 2027 at 09:00 UTC$/m)
    expect(text).toContain(MANAGE)
    expect(text).not.toMatch(/Next attempt|Access until|To keep your access/)
  })

  it('says after the last try until when a new card helps', async () => {
    const { subject, text } = await render('payment_failed', { retry: null, ends: AT + 3 * DAY })
    expect(subject).toBe('Magazine: your payment for The news failed')
    expect(text).toContain(
      'Unless you update your card, your subscription ends on 6 March 2027 at 09:00 UTC.',
    )
    expect(text).toContain(`To keep your access, please update your card.\n\nUpdate your card:`)
    expect(text).not.toMatch(/Next attempt|has ended/)
  })

  it('does not speak of the end of access that has none', async () => {
    for (const retry of [null, AT + DAY]) {
      const { text } = await render('payment_failed', { retry, ends: FOREVER })
      expect(text).not.toMatch(/^Access|10000/m)
    }
  })
})

describe('the mail about the end of a trial', () => {
  it('says when it ends, what is charged from then on, and how to stop it', async () => {
    const { subject, text } = await render('trial_ends', { period: '3 months' })
    expect(subject).toBe('Magazine: your free trial of The news ends on 6 March 2027')
    expect(text).toContain(
      'Your free trial of The news ends on 6 March 2027 at 09:00 UTC. ' +
        'After that, it costs 4.99 EUR every 3 months.',
    )
    expect(text).toMatch(/^First payment: +4\.99 EUR on 6 March 2027 at 09:00 UTC$/m)
    expect(text).toContain('If you cancel before the trial ends, you will not be charged.')
    expect(text).toContain(`Manage or cancel:\n${MANAGE}\n`)
  })

  it.each([
    ['1 day', 'every day.'],
    ['1 year', 'every year.'],
    ['10 weeks', 'every 10 weeks.'],
  ])('says how often in words: %s', async (period, words) => {
    expect((await render('trial_ends', { period })).text).toContain(`costs 4.99 EUR ${words}`)
  })
})

describe('the mail about a canceled subscription', () => {
  it('says how long access goes on, and how to resume', async () => {
    const { subject, text } = await render('canceled')
    expect(subject).toBe('Magazine: your subscription to The news is canceled')
    expect(text).toContain(
      'will not renew.\n\nYour access continues until 23 March 2027 at 09:00 UTC.',
    )
    expect(text).toMatch(/^Access until: +23 March 2027 at 09:00 UTC$/m)
    expect(text).toContain(`Resume your subscription:\n${MANAGE}\n`)
  })

  it('offers no way back when what was paid for is over', async () => {
    const { text } = await render('canceled', { ends: AT })
    expect(text).toMatch(/^Access ended: +3 March 2027 at 09:00 UTC$/m)
    expect(text).not.toMatch(/resume/i)
    expect(text).toContain(MANAGE)
  })
})
