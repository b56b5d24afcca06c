/**
 * Names that callers may choose and that are easily handled wrongly: each must work wherever a name of its kind is
 * taken. Tests draw from here, so that a letter that broke something once is tried everywhere.
 */

/** Letters that mean something in a URL, a shell, a header, a page or a query of a database. */
const LETTERS = [
  'magazine/winter',
  'été',
  'e\u0301te\u0301',
  'a|b',
  'a%b',
  'a%2Fb',
  '%',
  '%25',
  '%2e%2e',
  '%00',
  'a+b',
  'a\\b',
  `"it's"`,
  '<b>&amp;</b>',
  'a?b=c#d&e;f',
  'https://example.com/a?b=c',
  '..;/x',
  '../../users',
  '{rid}',
  ':rid',
  '*',
  '~',
  '~YQ',
  '~Lg',
  '$&`x`',
  '\u200d🗞️',
  '中文',
  'constructor',
  '__proto__',
  'true',
  '0',
  '_',
  '-x',
  '--help',
]

/** The most that a name may have: 255 characters, which are 3,060 bytes in a URL. */
const LONGEST = '🗞'.repeat(255)

/** `.` and `..` are here because clients resolve them in a path. */
export const ODD_RIDS: readonly string[] = [...LETTERS, 'a,b', '.', '..', LONGEST]

/** References may contain spaces, and be addresses. */
export const ODD_REFERENCES: readonly string[] = [
  ...LETTERS,
  ...['a,b', '.', '..', 'a b', ' a', 'reader@example.com', 'Reader+1@Example.com', LONGEST],
]

export const ODD_TAGS: readonly string[] = [
  ...LETTERS,
  ...['.', '..', 'two words', 'x@example.com', '🗞'.repeat(100)],
]

/** Each belongs to somebody else. */
export const ODD_ADDRESSES: readonly string[] = [
  'Ann.Other+news@Example.com',
  `o'brien%2f@example.com`,
  'a/b@example.com',
  'jürgen@bücher.example',
  '{a}|~!#$&*=?^_\u0060@example.com',
  `${'x'.repeat(64)}@${'y'.repeat(60)}.${'z'.repeat(60)}.example.com`,
]
