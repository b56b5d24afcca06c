/** What holds for all operations: part of the contract, and shown on the page. `Backticks` mark code. */
export interface Rules {
  id: string
  title: string
  rules: readonly string[]
}

export const RULES: readonly Rules[] = [
  {
    id: 'parameters',
    title: 'Parameters',
    rules: [
      'Form encoding in UTF-8: `+` and `%20` are both a space.',
      'Booleans are `true`, `false`, `1` or `0`, in any case. Integers are digits, with a minus where it makes ' +
        'sense. Times are whole seconds since 1970.',
      'An empty value counts as unset: an optional parameter is then absent, a required one missing. But an empty filter ' +
        'of a search, an empty end and an empty limit of a link are a 400, because an unset variable must not show every ' +
        'reader, or grant forever.',
      'A repeated parameter, an invalid escape, invalid UTF-8 or a control character is a 400. The response ' +
        'names the parameter and what is wrong with it. Unknown parameters are ignored.',
      'A POST takes its parameters in the query, or in a form body. Each is sent once, in one of the two.',
      'A `pagesize` over 1,000 is lowered to 1,000, and the `pagesize` of the answer says so. Pages count from 0; ' +
        'one past the end has empty `data` and the true `total`.',
    ],
  },
  {
    id: 'users',
    title: 'Users',
    rules: [
      'A `user_ref` is your own name for a user. A user can have several; each names one user of the application.',
      "A user's own `uid` is accepted wherever a `user_ref` is, for good, whatever references the user has or gets " +
        'later. A record shows the `user_ref` of its last grant, or the `uid` if that had none: whichever an answer ' +
        'shows, you can send it back.',
      'In a grant, the `uid` of the user whom `email` names counts as no reference. The `uid` of anybody else is ' +
        "refused. Don't let readers choose their own reference.",
      'After two users were merged, every `uid` and `user_ref` of the one who is gone names the one who is left. ' +
        'The `uid` of an erased user names nobody.',
    ],
  },
  {
    id: 'passes',
    title: 'Passes',
    rules: [
      'A pass is a resource that opens others. Granting or buying it makes one record, with the `rid` of the pass.',
      '`GET /r2/access` and `/r2/access/check` follow passes. A live record of the resource itself answers first; ' +
        'otherwise that of the pass that ends last. `via` then names the pass, and `rid` is what you asked for; `id`, ' +
        "`expires` and all other fields are those of the pass's record.",
      'Searches list records, not what they open: the `rid` of an article finds nobody who reads it through a pass. ' +
        'Search for the `rid` of the pass, or ask `/r2/access/check` about one reader. `GET /r2/access/list` says what ' +
        'each pass opens.',
      'Revoking a pass ends access to all that it opens, unless the user has a record of the resource itself, or ' +
        'another pass. Revoking a resource ends the record of that resource alone; a pass still opens it. Without ' +
        'such a record, it is a 404, whose message names the pass. A refund is of what was paid for the record that ends.',
    ],
  },
  {
    id: 'answers',
    title: 'Answers',
    rules: [
      "Answers may gain fields, and lists of values may gain values: ignore what you don't know. Below `/r2/`, no " +
        'field is removed or changes its meaning.',
      'Every error has the same body. Decide by `code`, and by the status if you do not know the code; show ' +
        '`message` to people, and quote `request_id` when you ask the operator for help.',
      'Checks run in this order: the path (404, `path_not_found`), the method (402), the signature (401), the ' +
        'parameters (400), then everything else. What belongs to another application is the same 404 as what does ' +
        'not exist.',
      'After a 429 or a 503, send the request again when the seconds in `Retry-After` are over. A write with an ' +
        '`idempotency_key` takes effect once, however often it is sent.',
    ],
  },
]

/** The rules in Markdown. */
export const rulesInMarkdown = (): string =>
  RULES.map(
    ({ title, rules }) => `## ${title}\n\n${rules.map((rule) => `- ${rule}`).join('\n')}`,
  ).join('\n\n')
