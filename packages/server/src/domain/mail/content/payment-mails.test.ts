import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../../db/tables.ts'
import { HTML_ATTACKS, LINE_ENDS, tagsOf } from '../../../testing/browser/tags.ts'
import { linksTo, senderNamed } from '../../../testing/mail.ts'
import { DAY } from '../../../testing/time.ts'
import { composeMail } from '../compose.ts'
import type { MailRow } from '../outbox.ts'
import type { MailPayloads } from '../payloads.ts'

const AT = Date.UTC(2027, 2, 3, 9) / 1000
const MANAGE = 'https://example.com/manage/sub1.token'

const common = { at: AT, resource: 'The news', first_name: 'Ann', amount: 499, currency: 'EUR' }
const seller = {
  name: 'Magazine Ltd.',
  address: '12 Harbour Street\r\nGalway\n\nIreland\n',
  tax_line: 'VAT IE1234567X',
}

type Payloads = Omit<MailPayloads, 'grant' | 'address_changed'>
type Kind = keyof Payloads

const plain: Payloads = {
  receipt: {
    ...common,
    ...{ payment: 'pay1', url: 'https://example.com/news?a=1&b=2', ends: AT + 31 * DAY },
    ...{ subscription: 'sub1', period: '1 month', price: 499, seller },
  },
  payment_failed: {
    ...common,
    ...{ subscription: 'sub1', failure: 'declined', retry: AT + DAY, ends: AT + 7 * DAY },
  },
  trial_ends: { ...common, subscription: 'sub1', period: '1 month', ends: AT + 3 * DAY },
  canceled: { ...common, subscription: 'sub1', ends: AT + 20 * DAY },
  refunded: { ...common, payment: 'pay1', reason: null, seller },
}
const KINDS = Object.keys(plain) as Kind[]

async function render<K extends Kind>(
  kind: K,
  changes: Partial<Payloads[K]> = {},
  name = 'Magazine',
) {
  const payload = JSON.stringify({ ...plain[kind], ...changes })
  const row = { id: 'mail1', aid: 'app1', kind, recipient: 'ann@example.com', payload } as MailRow
  const app = senderNamed(name)
  const links = linksTo({ manage: async () => MANAGE })
  // Sent a year late, which must not change the text.
  return await composeMail(row, app, 'post@example.com', AT + 365 * DAY, links)
}

const decode = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Returns every piece of text and every URL in the HTML part. */
function shownIn(html: string): string[] {
  const body = html.slice(html.indexOf('<body'))
  const pieces = body.split(/<[^>]*>/).map((piece) => decode(piece).trim())
  const addresses = [...body.matchAll(/href="([^"]*)"/g)].map(([, url = '']) => decode(url))
  return [...pieces.filter((piece) => piece !== ''), ...addresses]
}

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

describe('a mail about money', () => {
  const VARIANTS = {
    payment_failed: [{ retry: null, ends: AT }, { retry: null }],
    canceled: [{ ends: AT }],
    receipt: [{ subscription: null, period: null, ends: FOREVER }, { amount: 0 }],
    refunded: [{ reason: 'late' }],
    trial_ends: [],
  }

  it.each(KINDS)('says as much in its text as in its HTML: %s', async (kind) => {
    for (const changes of [{}, ...VARIANTS[kind]]) {
      const { text, html } = await render(kind, { resource: 'A & "B" <C>', ...changes })
      const shown = shownIn(html)
      expect(shown.length).toBeGreaterThan(10)
      for (const piece of shown) expect(text).toContain(piece)
    }
  })

  it.each(KINDS)('greets by name, or not at all: %s', async (kind) => {
    expect((await render(kind)).text).toContain('\n\nHello Ann,\n\n')
    for (const first_name of ['', ' \u202e\r\n', 'A'.repeat(61)]) {
      expect((await render(kind, { first_name })).text).not.toContain('Hello')
    }
  })

  it('carries no address that somebody typed as a name', async () => {
    for (const first_name of [
      'https://evil.example',
      'evil.example',
      'win at EVIL.EXAMPLE now',
      'eve@evil.example',
      '//evil',
    ]) {
      const { text, html } = await render('receipt', { first_name })
      expect(text + html).not.toMatch(/evil/i)
    }
    for (const first_name of ['J. R. R.', 'J.R.R.', 'Anne-Marie', "D'Arcy", 'Ольга', 'Ann Jr.']) {
      expect((await render('receipt', { first_name })).text).toContain(`Hello ${first_name},`)
    }
  })

  it.each(HTML_ATTACKS)('has no node and no attribute but its own: %s', async (attack) => {
    for (const kind of KINDS) {
      const attacked = await render(kind, allText(kind, attack), attack)
      const greeted = attacked.text.includes('Hello')
      const harmless = await render(
        kind,
        { ...allText(kind, 'x'), url: '', first_name: greeted ? 'x' : '' },
        'x',
      )
      expect(tagsOf(attacked.html)).toEqual(tagsOf(harmless.html))
      expect(attacked.text).toContain(attack.trim())
    }
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'https://a.example/"onclick="x',
    'https://a.example/\nX: y',
  ])('links to the resource only by a web address: %s', async (url) => {
    const { text, html } = await render('receipt', { url })
    expect(html.match(/<a /g)).toHaveLength(1)
    expect(text).not.toContain('Open:')
  })

  it.each(LINE_ENDS)('keeps its subject and each fact on one line: %j', async (end) => {
    const name = `A${end}Bcc: eve@example.com`
    const line = 'A Bcc: eve@example.com'
    for (const kind of KINDS) {
      const { subject, text } = await render(kind, { ...allText(kind, name) }, name)
      expect(subject).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u)
      expect(subject.startsWith(`${line}: `)).toBe(true)
      expect(text).not.toMatch(/^Bcc/m)
      expect(text).toMatch(new RegExp(`^(Item|Subscription): +${line}$`, 'm'))
    }
  })

  it('does not pass for the encoding of headers, nor turn the direction of a line', async () => {
    for (const kind of KINDS) {
      const resource = '=?utf-8?Q?=0D=0ABcc:_eve?= \u202eexe.txt'
      const { subject, text } = await render(kind, { resource })
      expect(subject).toContain('= ?utf-8?Q?=0D=0ABcc:_eve?= exe.txt')
      expect(text).not.toContain('\u202e')
    }
  })

  it('keeps a subject short', async () => {
    for (const kind of KINDS) {
      const { subject } = await render(kind, { resource: '🎉'.repeat(500) })
      expect([...subject]).toHaveLength(200)
    }
  })
})

/** Returns the payload with every text except the currency replaced. */
function allText<K extends Kind>(kind: K, text: string): Partial<Payloads[K]> {
  const replace = (value: object): object =>
    Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        if (name === 'currency') return [name, one]
        if (name === 'reason' || typeof one === 'string') return [name, text]
        return [name, typeof one === 'object' && one !== null ? replace(one) : one]
      }),
    )
  return replace(plain[kind]) as Partial<Payloads[K]>
}
