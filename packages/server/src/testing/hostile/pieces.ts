/** What hostile texts are made of: one of each class of characters that a pattern may try again and again, and what our own
 * formats give a meaning to. */
export const PIECES = [
  ...[
    '(',
    ')',
    '@',
    ' ',
    '\t',
    '\n',
    '\r\n',
    'a',
    '0',
    '-',
    '.',
    ',',
    ';',
    '"',
    '""',
    "'",
    '=',
    '\\',
  ],
  ...['{{a}}', '{{ ', '{{a}}\n', '<!---->', '<', '&', '%', '%20', '+', '# ', 'x@.', '@a.', '01/'],
  ...[
    '\u00a0',
    '\u200b',
    '\ufeff',
    'é',
    '😀',
    '\u0301',
    '\u0301\u0316',
    '%CC%81%CC%96',
    'Subject:',
    'https://',
    'http',
    '\n \n',
  ],
]

/** A text of one piece again and again, with something else around it. */
export function repeatedText(random: () => number, maxLength: number): string {
  const pick = () => PIECES[Math.floor(random() * PIECES.length)] as string
  const length = random() < 0.5 ? maxLength : Math.floor(random() * maxLength)
  const [start, piece, end] = [pick(), random() < 0.8 ? pick() : pick() + pick(), pick()]
  const room = Math.max(0, length - start.length - end.length)
  const middle = piece.repeat(Math.floor(room / piece.length))
  return [random() < 0.5 ? start : '', middle, random() < 0.5 ? end : ''].join('')
}
