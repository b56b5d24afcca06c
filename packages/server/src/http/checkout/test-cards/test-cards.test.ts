import { beforeAll, describe, expect, it } from 'vitest'
import { TEST_CARDS } from '../../../domain/payments/test-cards/cards.ts'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { HOSTILE_TEXTS } from '../../../testing/http/hostile-texts.ts'
import { getPage, submitForm, tagsIn, visibleText } from '../../../testing/payments/page-client.ts'
import { GOOD_CARD, goToPayment, payOnPage } from '../../../testing/payments/page-shop.ts'
import { cardNumber } from '../../../testing/payments/shop.ts'
import { useServiceWithPageShop } from '../../../testing/use-service.ts'
import { checkoutTexts } from '../texts.ts'

const CARD = { number: GOOD_CARD, expiry: '12/40', cvc: '123' }

describe.each(entryPointDatabases)('the page of the test cards on $name', (database) => {
  const { service, shop } = useServiceWithPageShop(database)
  let once: string
  let trial: string
  beforeAll(async () => {
    await shop.changeSettings({ return_urls: '["https://magazine.example","http://[::1]:3000"]' })
    await shop.addResource('article', { name: 'The long winter' })
    once = await shop.addPrice('article')
    trial = await shop.addPrice('article', { recurring: 1, period: '1 month', trial_days: 7 })
  })

  const begin = (price = once, query = '') =>
    goToPayment(`${shop.pageOf('article')}${query}`, { email: 'ada@example.com', price })

  it('says what is paid, that no money moves, and what each number does', async () => {
    const { status, text } = await getPage(await begin())
    expect(status).toBe(200)
    const words = visibleText(text)
    expect(words).toContain('The long winter')
    expect(words).toContain('Pay €2.90')
    expect(words).toContain('no money is charged')
    const { cards } = checkoutTexts().testCards
    for (const { number, name } of TEST_CARDS) {
      expect(words.replaceAll(' ', '')).toContain(number + cards[name].replaceAll(' ', ''))
    }
    expect(visibleText((await getPage(await begin(trial))).text)).toContain('Save this card')
  })

  it.each(TEST_CARDS.filter(({ name }) => name !== 'declined'))(
    'the card “$name” leads on',
    async ({ name, number }) => {
      const payment = await begin()
      const done = await payOnPage(payment, number)
      const { text } = await getPage(done)
      const said = {
        hangs: 'Confirming your payment',
        disputed: 'Your bank is reviewing this payment',
      }
      expect(visibleText(text)).toContain((said as Record<string, string>)[name] ?? 'Thank you')
      if (name !== 'hangs') return
      await payOnPage(payment, number)
      expect(visibleText((await getPage(done)).text)).toContain('Thank you')
    },
  )

  it('a card that is declined comes back with the form, and another one can be tried', async () => {
    const payment = await begin()
    const { status, text } = await submitForm(payment, { ...CARD, number: cardNumber('declined') })
    expect(status).toBe(422)
    expect(text).toContain('id="number-problem">This card was declined.')
    expect(text).toContain(`value="${cardNumber('declined')}"`)
    expect(visibleText((await getPage(await payOnPage(payment))).text)).toContain('Thank you')
  })

  it('takes listed numbers, months to come and digits, and gives no other number back', async () => {
    const payment = await begin()
    const wrong: [Record<string, string>, string][] = [
      [{ number: '5555 5555 5555 4444' }, 'number'],
      [{ number: '' }, 'number'],
      [{ expiry: '13/40' }, 'expiry'],
      [{ expiry: '02/27' }, 'expiry'],
      [{ expiry: 'soon' }, 'expiry'],
      [{ cvc: '12' }, 'cvc'],
      [{ cvc: '12a' }, 'cvc'],
    ]
    for (const [more, name] of wrong) {
      const { status, text } = await submitForm(payment, { ...CARD, ...more })
      expect([more, status]).toEqual([more, 422])
      expect(text).toContain(`id="${name}-problem"`)
      expect(text).not.toMatch(/5555.?5555/)
    }
    for (const expiry of ['03/27', '3/27', '0327', '03 / 27']) {
      const { status } = await submitForm(await begin(), { ...CARD, expiry })
      expect([expiry, status]).toEqual([expiry, 303])
    }
  })

  it('shows hostile input as text', async () => {
    const payment = await begin()
    const [unknown, known] = [new Set<string>(), new Set<string>()]
    for (const one of ['plain', ...HOSTILE_TEXTS]) {
      for (const [number, shapes] of [
        [one, unknown],
        [GOOD_CARD, known],
      ] as const) {
        const { text } = await submitForm(payment, { number, expiry: one, cvc: one })
        shapes.add(tagsIn(text).join(' '))
      }
    }
    expect([unknown.size, known.size]).toEqual([1, 1])
  })

  it('lets its form be followed by the redirects that come, and no others', async () => {
    const policyOf = async (query: string) =>
      (await getPage(await begin(once, query))).headers['content-security-policy']
    const back = (url: string) => `?return_url=${encodeURIComponent(url)}`
    expect(await policyOf('')).toContain(`form-action 'self' ${service.url};`)
    expect(await policyOf(back('https://magazine.example/x'))).toContain(
      `form-action 'self' ${service.url} https://magazine.example;`,
    )
    // A content security policy can't express an IPv6 address.
    expect(await policyOf(back('http://[::1]:3000/x'))).toContain(
      `form-action 'self' ${service.url} http:;`,
    )
  })

  it('refuses forms of other sites, and nothing is paid', async () => {
    const payment = await begin()
    const response = await submitForm(payment, CARD, { 'sec-fetch-site': 'cross-site' })
    expect(response.status).toBe(403)
    const session = await shop.cards.session(payment.split('/').at(-1) as string)
    expect(session?.status).toBe('open')
  })

  it('is 404 for what is no session, and in production', async () => {
    const id = (await begin()).split('/').at(-1)
    for (const address of [
      `${shop.baseUrl}/test-cards/test_nothing`,
      `${service.url}/test-cards/${id}`,
    ]) {
      expect((await getPage(address)).status).toBe(404)
      expect((await submitForm(address, CARD)).status).toBe(404)
    }
  })
})
