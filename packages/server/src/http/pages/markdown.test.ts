import { describe, expect, it } from 'vitest'
import { markdownToText } from '../../markdown.ts'
import { markdownHtml } from './markdown.ts'

const rendered = (text: string) => markdownHtml(text).text

describe('a description', () => {
  it('has paragraphs, emphasis, lists and links', () => {
    const text = `A **bold** start, *then* _calm_.
The same paragraph.

- one
- two, [our site](https://example.com/a?b=1&c=2)

1. first
2) second
Write to [us](mailto:hello@example.com)`
    expect(rendered(text)).toBe(`<p>A <strong>bold</strong> start, <em>then</em> <em>calm</em>.
The same paragraph.</p>
<ul><li>one</li>
<li>two, <a href="https://example.com/a?b=1&amp;c=2" rel="noopener noreferrer nofollow">our site</a></li></ul>
<ol><li>first</li>
<li>second</li></ol>
<p>Write to <a href="mailto:hello@example.com" rel="noopener noreferrer nofollow">us</a></p>`)
    expect(markdownToText(text)).toBe(`A bold start, then calm.
The same paragraph.

- one
- two, our site (https://example.com/a?b=1&c=2)

1. first
2. second

Write to us (hello@example.com)`)
  })

  it.each([
    ['2 * 3 * 4 = 24', '<p>2 * 3 * 4 = 24</p>'],
    ['snake_case_name and 5*', '<p>snake_case_name and 5*</p>'],
    ['**a *b* c**', '<p>**a <em>b</em> c**</p>'],
    ['**_both_**', '<p><strong><em>both</em></strong></p>'],
    ['**', '<p>**</p>'],
    ['', ''],
    ['# No heading', '<p># No heading</p>'],
    ['-no list', '<p>-no list</p>'],
  ])('that is %j stays readable', (text, expected) => {
    expect(rendered(text)).toBe(expected)
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '![a](https://example.com/a.png)',
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](data:text/html,<script>)',
    '[a](http://example.com)',
    '[a](//example.com)',
    '[a](https://example.com" onclick="alert(1))',
    '[a](https://example.com/\u0000)',
    '[a](https://)',
    '[<b>](x)',
    '<!-- -->',
    '&lt;script&gt;',
    '`code` <style>*{}</style>',
  ])('that is hostile, %j, is text', (text) => {
    const shown = rendered(text)
    expect(shown.replace(/<\/?p>/g, '')).not.toMatch(/[<>]/)
    expect(markdownToText(text)).toBe(text)
  })

  it('can’t put anything into a link but its address and its text', () => {
    expect(rendered('[<i>"x"</i>](https://example.com/?q=&quot;)')).toBe(
      '<p><a href="https://example.com/?q=&amp;quot;" rel="noopener noreferrer nofollow">&lt;i&gt;&quot;x&quot;&lt;/i&gt;</a></p>',
    )
  })

  it('takes no time, however it is written', () => {
    const parts = [
      '*',
      '**',
      '_',
      '[',
      '](',
      '*a',
      '**a ',
      '[a](https://',
      ' _a',
      '- ',
      '1. ',
      '\n',
    ]
    const startedAt = performance.now()
    for (const part of parts) rendered(part.repeat(40_000 / part.length))
    for (const part of parts) rendered(`${part}${'a'.repeat(40_000)}`)
    expect(performance.now() - startedAt).toBeLessThan(4_000)
  })
})
