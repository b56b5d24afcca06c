/** Lists every tag of a page with the names of its attributes. */
export const tagsOf = (html: string): string[] =>
  [...html.matchAll(/<(\/?[a-z!][a-z0-9]*)((?:"[^"]*"|[^">])*)>/gi)].map(
    ([, tag, attributes = '']) =>
      [tag, ...[...attributes.matchAll(/([a-z-]+)=/g)].map(([, name]) => name)].join(' '),
  )

/** Texts that try to inject a tag, an attribute or a template value into a page. */
export const HTML_ATTACKS = [
  '<img src=x onerror=alert(1)>',
  '<a href="https://evil.example">click</a>',
  '</td></p></div></body></html><script>alert(1)</script>',
  '<style>body{display:none}</style>',
  '" onmouseover="alert(1)" style="position:fixed',
  "' autofocus='",
  '<!-- ',
  '{{link}}{{message}}{{application}}',
  '&lt;b&gt;',
]

/** Texts that might end a header line. */
export const LINE_ENDS = ['\r\n', '\n', '\r', '\u2028', '\u2029', '\u0085', '\v', '\0', '\t\f']
