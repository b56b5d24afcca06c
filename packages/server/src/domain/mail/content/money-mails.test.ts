import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../../db/tables.ts'
import { HTML_ATTACKS, LINE_ENDS, tagsOf } from '../../../testing/browser/tags.ts'
import {
  AT,
  KINDS,
  type Kind,
  type Payloads,
  plain,
  render,
} from '../../../testing/payments/payment-mails.ts'

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
