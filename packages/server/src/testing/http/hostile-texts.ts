/** Texts that would do harm on a page that does not escape them. */
export const HOSTILE_TEXTS = [
  `"><script>alert(1)</script>`,
  `' autofocus onfocus='alert(1)`,
  '<img src=x onerror=alert(1)>',
  '</title></style></textarea><svg onload=alert(1)>',
  '&lt;b&gt;&#60;script&#62;',
  'javascript:alert(1)',
  '{{7*7}}`$(x)`',
  '<!--<meta http-equiv=refresh content=0;url=//evil.example>',
]

/** All of them, joined into two texts that are typed into every field. */
export const HOSTILE_INPUTS = [HOSTILE_TEXTS.slice(0, 4), HOSTILE_TEXTS.slice(4)].map((texts) =>
  texts.join(' '),
)
