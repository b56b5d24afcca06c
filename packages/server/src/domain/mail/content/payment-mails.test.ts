import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../../db/tables.ts'
import { MANAGE, render } from '../../../testing/payments/payment-mails.ts'

describe('a receipt', () => {
  it('says what was paid, when, to whom, for how long, and what comes next', async () => {
    const { subject, text, html } = await render('receipt')
    expect(subject).toBe('Magazine: receipt for The news')
    expect(text).toBe(`Receipt

Hello Ann,

Thank you for your payment of 4.99 EUR for The news.

Item:         The news
              Subscription, billed every month
Paid:         4.99 EUR
Date:         3 March 2027 at 09:00 UTC
Payment:      pay1
Access until: 3 April 2027 at 09:00 UTC
Next payment: 4.99 EUR on 3 April 2027 at 09:00 UTC
Seller:       Magazine Ltd.
              12 Harbour Street
              Galway
              Ireland
              VAT IE1234567X

Open:
https://example.com/news?a=1&b=2

Manage your subscription:
${MANAGE}

Sent by Magazine.
`)
    expect(html).toContain('<html lang="en">')
    expect(html).toContain('href="https://example.com/news?a=1&amp;b=2"')
    expect(html).toContain('>12 Harbour Street<br>') // Its own line in HTML too.
  })

  it('of a single purchase names no next payment', async () => {
    for (const period of [null, '31 days']) {
      const { text } = await render('receipt', { subscription: null, period })
      expect(text).toContain('Access until: 3 April 2027 at 09:00 UTC')
      expect(text).not.toMatch(/Next payment|[Ss]ubscription/)
    }
  })

  it('of a subscription that does not go on names none either', async () => {
    const { text } = await render('receipt', { period: null })
    expect(text).not.toContain('Next payment')
    expect(text).toContain(MANAGE)
  })

  it('over nothing tells of the trial that begins, and promises no payment of nothing', async () => {
    const { subject, text } = await render('receipt', { amount: 0 })
    expect(subject).toBe('Magazine: your free trial of The news')
    expect(text).toMatch(/^Paid: +0\.00 EUR$/m)
    expect(text).toMatch(/^Free until: +3 April 2027 at 09:00 UTC$/m)
    expect(text).toMatch(/^After that: +4\.99 EUR every month$/m)
    expect(text).toContain('If you cancel before the trial ends, you will not be charged.')
    expect(text).toContain(`Manage or cancel:\n${MANAGE}\n`)
    expect(text).toMatch(/^Seller: +Magazine Ltd\.$/m)
    expect(text).not.toMatch(/Thank you|Next payment|Payment:/)
  })

  it('of lifetime access says so', async () => {
    const once = { subscription: null, period: null }
    const { text } = await render('receipt', { ...once, ends: FOREVER })
    expect(text).toMatch(/^Access: +Lifetime$/m)
    expect(text).not.toContain('until')
  })

  it('leaves out what the seller did not say', async () => {
    const { text } = await render('receipt', {
      seller: { name: 'Magazine Ltd.', address: '', tax_line: '' },
    })
    expect(text).toMatch(/^Seller: +Magazine Ltd\.\n\nOpen:/m)
  })

  it('shows amounts with the decimals of their currency', async () => {
    expect((await render('receipt', { currency: 'JPY' })).text).toMatch(/^Paid: +499 JPY$/m)
    expect((await render('receipt', { currency: 'KWD' })).text).toMatch(/^Paid: +0\.499 KWD$/m)
  })
})

describe('the mail about a refund', () => {
  it('says how much, of which payment, when and by whom', async () => {
    const { subject, text } = await render('refunded')
    expect(subject).toBe('Magazine: refund for The news')
    expect(text).toContain('We have refunded 4.99 EUR that you paid for The news.\n')
    expect(text).toMatch(/^Refunded: +4\.99 EUR$/m)
    expect(text).toMatch(/^Date: +3 March 2027 at 09:00 UTC$/m)
    expect(text).toMatch(/^Payment: +pay1$/m)
    expect(text).toMatch(/^Seller: +Magazine Ltd\.\n +12 Harbour Street\n +Galway\n +Ireland\n/m)
  })

  it.each([
    ['late', 'The news.\n\nYour payment arrived after your access had ended.'],
    ['duplicate', 'The news.\n\nYou already had a subscription'],
    ['disputed', 'The news.\n'],
  ])('gives the reason in plain words where nobody asked for it: %s', async (reason, words) => {
    expect((await render('refunded', { reason })).text).toContain(words)
  })
})
