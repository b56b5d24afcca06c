import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAllowedReturn, problemWithReturnPrefix } from './return-urls.ts'

const ALLOWED = [
  'https://pub.example',
  'https://shop.example/back/here',
  'https://slash.example/back/',
  'https://port.example:8443',
  'http://localhost:3000',
  'http://127.0.0.1',
  'http://[::1]:3000/back',
]

describe('a buyer may be sent to', () => {
  it.each([
    'https://pub.example',
    'https://pub.example/',
    'https://pub.example?a=1',
    'https://pub.example#top',
    'https://pub.example/any/page?a=1&b=%C3%A9+x#top',
    'https://pub.example/@user:1/(a);b=c,d!$*~_-.x',
    "https://pub.example/it's?it's",
    'https://pub.example/a%20b?to=https://evil.example//x',
    'https://pub.example/a%2Fb',
    'https://pub.example/...',
    'https://pub.example/.well-known/x',
    'https://pub.example/a?../../b',
    'https://shop.example/back/here',
    'https://shop.example/back/here/',
    'https://shop.example/back/here?a=1',
    'https://shop.example/back/here/on',
    'https://slash.example/back',
    'https://slash.example/back/',
    'https://slash.example/back/on',
    'https://port.example:8443/x',
    'http://localhost:3000/x',
    'http://127.0.0.1/x',
    'http://[::1]:3000/back/x',
  ])('%s', (url) => {
    expect(isAllowedReturn(ALLOWED, url)).toBe(true)
  })
})

const REFUSED = [
  // Relative and scheme-relative addresses.
  ...['', '/', '/thanks', 'thanks', '?a=1', '#top', '//evil.example', '///evil.example'],
  ...['/\\evil.example', '\\\\evil.example', '/\t/evil.example', '\t//evil.example'],
  ...['%09//evil.example', '/%09/evil.example', '/%2F/evil.example', './/evil.example'],
  // Other schemes, and malformed spellings of this one.
  ...['javascript:alert(1)', 'JavaScript://pub.example/%0aalert(1)', 'data:text/html,x'],
  ...['java\nscript:alert(1)', 'vbscript:x', 'blob:https://pub.example/x', 'file:///etc/passwd'],
  ...['ftp://pub.example/', 'ws://pub.example/', 'about:blank', 'mailto:a@pub.example'],
  ...[
    'https:evil.example',
    'https:/evil.example',
    'https:///evil.example',
    'https:\\\\evil.example',
  ],
  ...['https:pub.example', 'https:/pub.example', 'https:///pub.example', 'https:\\\\pub.example'],
  ...[
    'HTTPS://pub.example/',
    'https://PUB.example/',
    ' https://pub.example/',
    'https://pub.example/ ',
  ],
  // Not encrypted.
  ...['http://pub.example', 'http://pub.example/x', 'http://localhost.evil.example:3000'],
  ...['ftp://localhost:3000', 'ws://localhost:3000/', 'ws://127.0.0.1'],
  // A different host, port or user.
  ...['https://evil.example', 'https://evil.example/https://pub.example', 'https://localhost:3000'],
  ...['https://pub.example.evil.example', 'https://pub.examplex', 'https://xpub.example'],
  ...['https://sub.pub.example/', 'https://pub.example.', 'https://pub.example./x'],
  ...['https://pub.example@evil.example', 'https://pub.example:x@evil.example/'],
  ...[
    'https://evil.example@pub.example/',
    'https://pub.example@pub.example/',
    'https://@pub.example/',
  ],
  ...[
    'https://:@pub.example/',
    'https://evil.example#@pub.example',
    'https://evil.example?@pub.example',
  ],
  ...['https://evil.example\\@pub.example', 'https://pub.example\\@evil.example'],
  ...['https://pub.example\\.evil.example', 'https://evil.example%23@pub.example'],
  ...[
    'https://pub.example%2eevil.example',
    'https://pub%2eexample/',
    'https://pub.example%00.evil',
  ],
  ...['https://pub.example:443/', 'https://pub.example:8443/', 'https://pub.example:/'],
  ...['https://port.example/', 'https://port.example:8444/', 'https://port.example:08443/'],
  ...['http://localhost/', 'http://localhost:30000/', 'http://127.1/', 'http://2130706433/'],
  ...['http://0x7f.1/', 'http://0177.0.0.1/', 'http://[::ffff:7f00:1]/', 'http://[0::1]:3000/back'],
  ...[
    'https://pub。example/',
    'https://ｐub.example/',
    'https://pub.example／x',
    'https://pub\u00ad.example/',
  ],
  ...['https://pub\u200b.example/', 'https://рub.example/'],
  // Characters that software on the way drops, converts or splits at.
  ...['https://pub.example\t/', 'https://pub.\nexample/', 'https://pub.example/\r\nX: y'],
  ...['https://pub.example/a b', 'https://pub.example/\u0000', 'https://pub.example/\u2028'],
  ...['https://pub.example/\u007f', 'https://pub.example/é', 'https://pub.example/\\evil.example'],
  ...[
    'https://pub.example/?a=\\',
    'https://pub.example/"x',
    'https://pub.example/<x>',
    'https://pub.example/^',
  ],
  ...[
    'https://pub.example/|',
    'https://pub.example/{x}',
    'https://pub.example/`',
    'https://pub.example/%zz',
  ],
  ...['https://pub.example/%', 'https://pub.example/%0'],
  // Path segments that browsers and servers resolve differently.
  ...[
    'https://pub.example//evil.example',
    'https://pub.example/a//b',
    'https://pub.example/a%2F%2Fb',
  ],
  ...['https://pub.example/../x', 'https://pub.example/./x', 'https://pub.example/a/..'],
  ...['https://pub.example/a/%2e%2e/b', 'https://pub.example/a/.%2E/b', 'https://pub.example/%2e'],
  ...['https://pub.example/a/%2e%2e;/b', 'https://pub.example/a%2f..', 'https://pub.example/a%2f.'],
  // Outside the allowed folder.
  ...['https://shop.example', 'https://shop.example/', 'https://shop.example/back'],
  ...['https://shop.example/back/hereafter', 'https://shop.example/back/here.html'],
  ...['https://shop.example/back/here%2Fon', 'https://shop.example/Back/Here/on'],
  ...['https://shop.example/back/here;on', 'https://shop.example/back/%68ere'],
  ...['https://shop.example/back/here/../x', 'https://shop.example/back/here/%2e%2e/x'],
  ...['https://shop.example/back/here/..%2fx', 'https://shop.example/back/here/%2e%2e%2fx'],
  ...['https://shop.example/back/here/..%5cx', 'https://shop.example/back/here%5c..%5cx'],
  ...['https://shop.example/back/here/..;/x', 'https://shop.example/back/here\\..\\x'],
  ...[
    'https://shop.example/back//here',
    'https://shop.example?/back/here',
    'https://shop.example#/back/here',
  ],
  ...['https://slash.example/backyard', 'http://[::1]:3000/', 'http://[::1]:3000/backs'],
  `https://pub.example/${'a'.repeat(2_000)}`,
]

describe('a buyer is never sent to', () => {
  it.each(REFUSED.map((url) => [JSON.stringify(url).slice(0, 80), url]))('%s', (_, url) => {
    expect(isAllowedReturn(ALLOWED, url)).toBe(false)
  })

  it('anywhere, where nothing is allowed', () => {
    for (const url of [...ALLOWED, ...REFUSED]) expect(isAllowedReturn([], url)).toBe(false)
  })

  it('another host, however the address is put together', () => {
    const piece = fc.constantFrom(
      ...[
        'https:',
        'http:',
        '//',
        '/',
        '\\',
        '@',
        ':',
        '.',
        '?',
        '#',
        '%2f',
        '%5c',
        '%09',
        '\t',
        '\n',
      ],
      ...['pub.example', 'evil.example', 'localhost', ':3000', '..', ';', '。', ' ', 'x'],
    )
    const made = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    const urls = fc.oneof(
      made,
      made.map((text) => `https://pub.example${text}`),
    )
    const hosts = new Set(ALLOWED.map((entry) => new URL(entry).origin))
    fc.assert(
      fc.property(urls, (url) => {
        if (isAllowedReturn(ALLOWED, url)) expect(hosts).toContain(new URL(url).origin)
      }),
      { numRuns: 20_000 },
    )
  })

  it('an address of an entry that should never have been stored', () => {
    for (const entry of [
      '',
      'https:',
      'https://',
      'http://pub.example',
      '*',
      'https://*',
      'null',
    ]) {
      expect(isAllowedReturn([entry], 'https://pub.example/')).toBe(false)
      expect(isAllowedReturn([entry], 'http://pub.example/')).toBe(false)
    }
  })
})

describe('an entry of the allowed addresses', () => {
  it.each(ALLOWED)('may be %s', (entry) => {
    expect(problemWithReturnPrefix(entry)).toBeUndefined()
  })

  it.each([
    ...[
      '',
      'pub.example',
      '//pub.example',
      'http://pub.example',
      'https://*.pub.example',
      'https://*',
    ],
    ...['javascript:alert(1)', 'https://user@pub.example', 'https://pub.example/../x'],
    ...[
      'https://pub.example//x',
      'HTTPS://pub.example',
      'https://PUB.example',
      'https://pub.example:443',
    ],
    ...[
      'https://pub.example\\x',
      'https://pub.example/\t',
      'https:pub.example',
      'ftp://pub.example',
      'ftp://localhost',
    ],
    // Only looks like this machine, or like a plain host.
    ...['http://localhost.evil.example', 'http://evil-localhost', 'http://127.0.0.1.evil.example'],
    ...['http://x127.0.0.1', 'https://pub*.example', 'https://pub_x.example'],
  ])('is told what is wrong with it: %j', (entry) => {
    expect(problemWithReturnPrefix(entry)).toMatch(/^must be a plain URL like https:/)
  })

  it('has no query and no fragment, and is not too long', () => {
    for (const rest of ['?', '?a=1', '#', '#top', '/shop?a=1']) {
      expect(problemWithReturnPrefix(`https://pub.example${rest}`)).toBe(
        'must not have a query or a fragment',
      )
    }
    const longest = 'https://pub.example/'.padEnd(2_000, 'a')
    expect(problemWithReturnPrefix(longest)).toBeUndefined()
    expect(isAllowedReturn(ALLOWED, longest)).toBe(true)
    expect(problemWithReturnPrefix(`${longest}a`)).toBe('must have at most 2000 characters')
    expect(isAllowedReturn(ALLOWED, `${longest}a`)).toBe(false)
  })
})
