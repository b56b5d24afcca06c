import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../db/tables.ts'
import { HTML_ATTACKS, LINE_ENDS, tagsOf } from '../../testing/browser/tags.ts'
import { leastProcessorMs } from '../../testing/hostile/processor-time.ts'
import { linksTo, senderNamed } from '../../testing/mail.ts'
import { renderMessage } from './compose.ts'
import type { GrantMail } from './payloads.ts'
import { problemsWithTemplate, templateField } from './template.ts'
import { mailTexts } from './texts.ts'

const DEFAULT_TEMPLATE = mailTexts().templates.grant

const NOW = Date.UTC(2027, 2, 3, 9) / 1000

const plain: GrantMail = {
  rid: 'news',
  resource: 'The news',
  url: 'https://example.com/news?a=1&b=2',
  message: 'Welcome on board',
  first_name: 'Ann',
  ends: NOW + 86_400,
}
const render = async (
  mail: Partial<GrantMail> = {},
  template = DEFAULT_TEMPLATE,
  name = 'Magazine',
) =>
  renderMessage(
    { aid: 'app1', uid: 'uid1', recipient: 'ann@example.com' },
    { kind: 'grant', payload: { ...plain, ...mail } },
    senderNamed(name),
    NOW,
    linksTo(),
    template,
  )

const EVERY_VALUE = `Subject: {{application}} {{resource}} {{first_name}} {{message}} {{link}} {{ends}}

{{application}} {{resource}} {{first_name}} {{message}} {{link}} {{ends}}

{{message}}

{{link}}
`

describe('a template that somebody made with care', () => {
  it('is told its first problems, each with its line, in little time', () => {
    const text = `Subject: a\n\n${'{{a}}\n'.repeat(3_300)}`
    expect(leastProcessorMs(() => problemsWithTemplate(text), 50)).toBeLessThan(50)
    const problems = problemsWithTemplate(text)
    expect(problems.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, i) => i + 3))
  })

  it.each([
    ['Subject: a\n\nb', true],
    ['Subject: a\r\n \t\r\nb', true],
    ['Subject:a\n\n', true],
    ['Subject: \n\nb', false],
    ['Subject: a\nb\n\n', false],
    ['Subject: a\n', false],
    [' Subject: a\n\nb', false],
    [`Subject:${'j'.repeat(19_900)}`, false],
  ])('begins with a subject and a blank line, or not: %j', (text, isRight) => {
    expect(leastProcessorMs(() => problemsWithTemplate(text), 50)).toBeLessThan(50)
    expect(problemsWithTemplate(text)).toHaveLength(isRight ? 0 : 1)
  })

  it('is told the line of a placeholder that takes two', () => {
    expect(problemsWithTemplate('Subject: a\n\n{{\nnone }} {{nobody}}')).toMatchObject([
      { line: 3, problem: expect.stringContaining('{{none}}') },
      { line: 4, problem: expect.stringContaining('{{nobody}}') },
    ])
  })
})

describe('the default mail', () => {
  it('greets, names the resource, shows message, link and end, in both parts', async () => {
    const { subject, text, html } = await render()
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

  it('leaves out what is not known', async () => {
    const { text, html } = await render({ first_name: '', message: ' \n', url: '', ends: FOREVER })
    expect(text).toBe('You have been given access to The news.\n\nSent by Magazine.\n')
    expect(html).not.toMatch(/<a|<blockquote|Hello/)
  })

  it('says of an end that has passed that it has', async () => {
    const { text } = await render({ ends: NOW })
    expect(text).toContain('Your access ended on 3 March 2027 at 09:00 UTC.')
    expect(text).not.toContain('ends on')
    expect((await render({ ends: NOW + 1 })).text).not.toContain('ended on')
  })

  it('keeps the line breaks of a message', async () => {
    expect((await render({ message: 'one\r\ntwo\nthree' })).html).toContain('one<br>two<br>three')
  })
})

describe('what is put into a mail', () => {
  it.each(HTML_ATTACKS)('adds no node and no attribute: %s', async (attack) => {
    const values = { resource: attack, message: attack, first_name: attack }
    for (const template of [DEFAULT_TEMPLATE, EVERY_VALUE]) {
      const harmless = await render({ resource: 'x', message: 'x', first_name: 'x' }, template, 'x')
      const attacked = await render(values, template, attack)
      expect(tagsOf(attacked.html)).toEqual(tagsOf(harmless.html))
    }
  })

  it('is put in once: a placeholder inside a value is only text', async () => {
    const attack = '{{link}} {{ message }} {{application}}'
    const { subject, text, html } = await render({ resource: attack, message: 'M', url: '' })
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
  ])('is no link unless it is a web address: %s', async (url) => {
    const { text, html } = await render({ url })
    expect(html).not.toContain('<a ')
    expect(text).not.toContain(url)
  })

  it.each(LINE_ENDS)("can't end a line of the subject: %j", async (end) => {
    const name = `A${end}Bcc: eve@example.com`
    const { subject, text } = await render({ resource: name, first_name: name }, undefined, name)
    expect(subject).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u)
    expect(subject).toBe(`A Bcc: eve@example.com: your access to A Bcc: eve@example.com`)
    expect(text).toContain('Hello A Bcc: eve@example.com,')
  })

  it('does not pass for the encoding of headers, nor turn the direction of a line', async () => {
    const { subject } = await render({ resource: '=?utf-8?Q?=0D=0ABcc:_eve?= \u202eexe.txt' })
    expect(subject).toBe('Magazine: your access to = ?utf-8?Q?=0D=0ABcc:_eve?= exe.txt')
  })

  it('keeps a subject short', async () => {
    expect([...(await render({ resource: '🎉'.repeat(500) })).subject]).toHaveLength(200)
  })
})

describe("an application's own template", () => {
  it('has its own words, in no language that we could know', async () => {
    const template =
      'Subject: {{resource}}\r\n\r\nMehr unter {{link}} <b>hier</b>\r\nbis {{ends}}\r\n'
    const { subject, text, html } = await render({}, template)
    expect(subject).toBe('The news')
    expect(text).toBe(
      'Mehr unter https://example.com/news?a=1&b=2 <b>hier</b>\nbis 4 March 2027 at 09:00 UTC\n',
    )
    expect(html).toContain(
      '>https://example.com/news?a=1&amp;b=2</a> &lt;b&gt;hier&lt;/b&gt;<br>bis',
    )
    expect(html).toContain('<html>')
  })

  it("is refused with the reason where it can't work", async () => {
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
