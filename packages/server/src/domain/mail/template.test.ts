import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../db/tables.ts'
import { HTML_ATTACKS, LINE_ENDS, tagsOf } from '../../testing/browser/tags.ts'
import type { GrantMail } from './payloads.ts'
import { DEFAULT_TEMPLATE, renderMail, templateField } from './template.ts'

const NOW = Date.UTC(2027, 2, 3, 9) / 1000

const plain: GrantMail = {
  rid: 'news',
  resource: 'The news',
  url: 'https://example.com/news?a=1&b=2',
  message: 'Welcome on board',
  first_name: 'Ann',
  ends: NOW + 86_400,
}
const render = (mail: Partial<GrantMail> = {}, template = DEFAULT_TEMPLATE, name = 'Magazine') =>
  renderMail(template, name, { ...plain, ...mail }, NOW)

const EVERY_VALUE = `Subject: {{application}} {{resource}} {{first_name}} {{message}} {{link}} {{ends}}

{{application}} {{resource}} {{first_name}} {{message}} {{link}} {{ends}}

{{message}}

{{link}}
`

describe('the default mail', () => {
  it('greets, names the resource, shows message, link and end, in both parts', () => {
    const { subject, text, html } = render()
    expect(subject).toBe('Magazine: your access to The news')
    expect(text).toBe(
      [
        'Hello Ann,',
        'You have been given access to The news.',
        'Welcome on board',
        'https://example.com/news?a=1&b=2',
        'Your access ends on 4 March 2027 at 09:00 UTC.',
        'Sent by Magazine.\n',
      ].join('\n\n'),
    )
    for (const part of [
      'Hello Ann,',
      'The news',
      'Welcome on board',
      '4 March 2027 at 09:00 UTC',
    ]) {
      expect(html).toContain(part)
    }
    expect(html).toContain('href="https://example.com/news?a=1&amp;b=2"')
    expect(html).toContain('<html lang="en">')
  })

  it('leaves out what is not known', () => {
    const { text, html } = render({ first_name: '', message: ' \n', url: '', ends: FOREVER })
    expect(text).toBe('You have been given access to The news.\n\nSent by Magazine.\n')
    expect(html).not.toMatch(/<a|<blockquote|Hello/)
  })

  it('says of an end that has passed that it has', () => {
    const { text } = render({ ends: NOW })
    expect(text).toContain('Your access ended on 3 March 2027 at 09:00 UTC.')
    expect(text).not.toContain('ends on')
    expect(render({ ends: NOW + 1 }).text).not.toContain('ended on')
  })

  it('keeps the line breaks of a message', () => {
    expect(render({ message: 'one\r\ntwo\nthree' }).html).toContain('one<br>two<br>three')
  })
})

describe('what is put into a mail', () => {
  it.each(HTML_ATTACKS)('adds no node and no attribute: %s', (attack) => {
    const values = { resource: attack, message: attack, first_name: attack }
    for (const template of [DEFAULT_TEMPLATE, EVERY_VALUE]) {
      const harmless = render({ resource: 'x', message: 'x', first_name: 'x' }, template, 'x')
      const attacked = render(values, template, attack)
      expect(tagsOf(attacked.html)).toEqual(tagsOf(harmless.html))
    }
  })

  it('is put in once: a placeholder inside a value is only text', () => {
    const attack = '{{link}} {{ message }} {{application}}'
    const { subject, text, html } = render({ resource: attack, message: 'M', url: '' })
    expect(subject).toBe(`Magazine: your access to ${attack}`)
    expect(text).toContain(`access to ${attack}.`)
    expect(html).toContain(`access to ${attack}.`)
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'https:evil.example',
    '//evil.example',
    'https://a.example/"onclick="x',
    'https://a.example/\nX: y',
    'ftp://a.example/',
  ])('is no link unless it is a web address: %s', (url) => {
    const { text, html } = render({ url })
    expect(html).not.toContain('<a ')
    expect(text).not.toContain(url)
  })

  it.each(LINE_ENDS)("can't end a line of the subject: %j", (end) => {
    const name = `A${end}Bcc: eve@example.com`
    const { subject, text } = render({ resource: name, first_name: name }, undefined, name)
    expect(subject).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u)
    expect(subject).toBe(`A Bcc: eve@example.com: your access to A Bcc: eve@example.com`)
    expect(text).toContain('Hello A Bcc: eve@example.com,')
  })

  it('does not pass for the encoding of headers, nor turn the direction of a line', () => {
    const { subject } = render({ resource: '=?utf-8?Q?=0D=0ABcc:_eve?= \u202eexe.txt' })
    expect(subject).toBe('Magazine: your access to = ?utf-8?Q?=0D=0ABcc:_eve?= exe.txt')
  })

  it('keeps a subject short', () => {
    expect([...render({ resource: '🎉'.repeat(500) }).subject]).toHaveLength(200)
  })
})

describe("an application's own template", () => {
  it('has its own words, in no language that we could know', () => {
    const template =
      'Subject: {{resource}}\r\n\r\nMehr unter {{link}} <b>hier</b>\r\nbis {{ends}}\r\n'
    const { subject, text, html } = render({}, template)
    expect(subject).toBe('The news')
    expect(text).toBe(
      'Mehr unter https://example.com/news?a=1&b=2 <b>hier</b>\nbis 4 March 2027 at 09:00 UTC\n',
    )
    expect(html).toContain(
      '>https://example.com/news?a=1&amp;b=2</a> &lt;b&gt;hier&lt;/b&gt;<br>bis',
    )
    expect(html).toContain('<html>')
  })

  it("is refused with the reason where it can't work", () => {
    expect(templateField.read(DEFAULT_TEMPLATE)).toEqual({ value: DEFAULT_TEMPLATE })
    expect(templateField.read('Hello\n\nyou')).toMatch(/begin with a line "Subject/)
    expect(templateField.read('Subject: \n\nyou')).toMatch(/begin with a line "Subject/)
    expect(templateField.read('Subject: x\nBcc: y\n\nyou')).toMatch(/blank line/)
    expect(templateField.read('Subject: x\n\n{{constructor}}')).toMatch(
      /unknown placeholder {{constructor}}/,
    )
    expect(templateField.read(`Subject: x\n\n${'y'.repeat(20_000)}`)).toMatch(
      /at most 20000 characters/,
    )
  })
})
