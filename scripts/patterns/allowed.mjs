/** Patterns that can take longer than in proportion to their text, and why each may stay. Those that are built from more than
 * constants of their file have no `pattern`. */
const DASHBOARD = 'packages/dashboard/src'
const SDK = 'packages/sdk/src'
const SERVER = 'packages/server/src'

const OWN_OPTION = 'The text is an option of the site that uses the library.'
const OPERATOR = 'Only operators write this text, and it is read when a process starts.'
const OWN_GUIDES = 'The text is one of our own guides.'
const OWN_TAB = 'Whoever types it waits in their own tab.'
const CONSTANTS = 'The parts that vary are constants of ours, without repetitions.'

export const allowed = [
  {
    path: `${DASHBOARD}/components/display/html-frame.tsx`,
    pattern: String.raw`/<style>([\s\S]*?)<\/style>/g`,
    reason:
      'The text is an email that the service has made from a template of at most 20,000 characters.',
  },
  {
    path: `${DASHBOARD}/components/display/html-frame.tsx`,
    pattern: String.raw`/(<img [^>]*src=")http:\/\/[^/"]+/g`,
    reason:
      'The text is an email that the service has made; what people write in it has no angle brackets.',
  },
  {
    path: `${DASHBOARD}/components/forms/use-form.ts`,
    pattern: String.raw`/^[^\s@]+@[^\s@]+\.[^\s@]+$/`,
    reason: OWN_TAB,
  },
  {
    path: `${DASHBOARD}/format.ts`,
    pattern: String.raw`/\B(?=(\d{3})+$)/g`,
    reason: 'The text is a number, of at most 16 digits.',
  },
  {
    path: `${DASHBOARD}/pages/developers/openapi.ts`,
    pattern: '/[^/]*$/',
    reason: 'The text is the path at which the operator serves the dashboard.',
  },
  {
    path: `${DASHBOARD}/pages/resources/resource-fields.ts`,
    pattern: '/^-+|-+$/g',
    reason: 'The text is cut before, and has no two dashes beside each other.',
  },
  { path: `${SDK}/links.ts`, pattern: String.raw`/\/+$/`, reason: OWN_OPTION },
  { path: `${SDK}/options.ts`, pattern: String.raw`/\/+$/`, reason: OWN_OPTION },
  {
    path: `${SDK}/options.ts`,
    pattern: String.raw`/^https?:\/\/[^/?#]+[^?#]*$/`,
    reason: OWN_OPTION,
  },
  {
    path: `${SERVER}/app.ts`,
    reason:
      'It is a path of a route. Its only repetition is a part of a path, which ends at the next slash.',
  },
  {
    path: `${SERVER}/cli/output.ts`,
    pattern: '/ +$/gm',
    reason: 'The text is a table on a terminal, of values with at most some hundred characters.',
  },
  {
    path: `${SERVER}/config/env-file.ts`,
    pattern: String.raw`/^\s*(["'])(.*?)\1\s*(?:#.*)?$/`,
    reason: OPERATOR,
  },
  { path: `${SERVER}/config/env-file.ts`, pattern: String.raw`/\s+#.*$/`, reason: OPERATOR },
  { path: `${SERVER}/config/parse.ts`, pattern: String.raw`/\/+$/`, reason: OPERATOR },
  { path: `${SERVER}/config/providers.ts`, reason: CONSTANTS },
  { path: `${SERVER}/config/tracing.ts`, pattern: String.raw`/\/+$/`, reason: OPERATOR },
  {
    path: `${SERVER}/db/sqlite/rebuild.ts`,
    pattern: String.raw`/[\s,]*\) strict$/`,
    reason: 'The text is the statement that made one of our own tables.',
  },
  {
    path: `${SERVER}/domain/apps/currency.ts`,
    pattern: String.raw`/\B(?=(\d{3})+$)/g`,
    reason: 'The text is a number, of at most 16 digits.',
  },
  {
    path: `${SERVER}/domain/brand/fields.ts`,
    pattern: String.raw`/^[^\s\p{C}"(),:;<>@[\]\\]+@[^\s\p{C}"(),:;<>@[\]\\]+\.[^\s\p{C}"(),:;<>@[\]\\]+$/u`,
    reason: 'The field refuses more than 254 characters before: 0.1 ms.',
  },
  {
    path: `${SERVER}/domain/mail/template.ts`,
    pattern: String.raw`/^#\s+([^\n]+)$/`,
    reason:
      'The text is a trimmed paragraph, so the white space that it could try again and again ends: 1 ms.',
  },
  {
    path: `${SERVER}/domain/transfer/formulas.ts`,
    pattern: String.raw`/(?<=^|;)(?='*(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]))/gu`,
    reason:
      'It looks ahead only behind a semicolon, and the text is a stored field: 11 ms for 32,000 characters.',
  },
  {
    path: `${SERVER}/http/checkout/buy.ts`,
    pattern: String.raw`/@.*\./`,
    reason: 'The field refuses more than 254 characters before.',
  },
  { path: `${SERVER}/http/dashboard/dashboard.ts`, reason: CONSTANTS },
  { path: `${SERVER}/http/dashboard/static.ts`, reason: CONSTANTS },
  {
    path: `${SERVER}/http/pages/locale.ts`,
    pattern: String.raw`/^\s*([a-z]{2,3}(?:-[a-z\d]{1,8})*)\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*$/i`,
    reason: 'The header is cut to 300 characters before: 0.3 ms.',
  },
  { path: `${SERVER}/http/r2/check.ts`, reason: CONSTANTS },
  {
    path: `${SERVER}/http/reference/guides/library.ts`,
    pattern: String.raw`/<!--[\s\S]*?-->/g`,
    reason: OWN_GUIDES,
  },
  {
    path: `${SERVER}/http/reference/guides/library.ts`,
    pattern: String.raw`/\]\([^)]*\)/g`,
    reason: OWN_GUIDES,
  },
  {
    path: `${SERVER}/http/reference/guides/library.ts`,
    pattern: String.raw`/^- \[[^\]]+\]\(([^)#]+)\)/gm`,
    reason: OWN_GUIDES,
  },
  {
    path: `${SERVER}/markdown.ts`,
    pattern:
      String.raw`/(?<!!)\[([^[\]]{1,500})\]\(((?:https:\/\/|mailto:)[^\s\p{Cc}()<>"'` +
      '`' +
      String.raw`\\]{1,2000})\)|\*\*(?=[^\s*])([^*]{1,5000})(?<!\s)\*\*|\*(?=[^\s*])([^*]{1,5000})(?<!\s)\*|(?<![\p{L}\p{N}_])_(?=[^\s_])([^_]{1,5000})(?<!\s)_(?![\p{L}\p{N}_])/gu`,
    reason: 'Each part ends where its own delimiter comes again: 10 ms for 10,000 characters.',
  },
  {
    path: `${SERVER}/signing/canonical.ts`,
    pattern: String.raw`/^(?:(?!\/r2\/)[^%])*?\/(?:dashboard|management\/v1)\//`,
    reason: 'It tries one way through the text.',
  },
  {
    path: `${SERVER}/signing/download-links.ts`,
    reason: `${CONSTANTS} Each repetition ends at 2,000 characters or before, and at a dot.`,
  },
  {
    path: `${SERVER}/signing/links.ts`,
    pattern: String.raw`/^(\/checkout\/[!->@-~]+\?([!-~]*))&signature=([A-Za-z0-9_-]{43})$/`,
    reason: 'It tries 43 characters for each place of a signature.',
  },
  {
    path: `${SERVER}/worker/mail/send-claimed.ts`,
    pattern: String.raw`/https?:\S*|\S{40,}/gi`,
    reason: 'It looks 40 characters far from each one, and the text is cut before: 11 ms.',
  },
]
