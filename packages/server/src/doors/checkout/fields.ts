import { type Html, html, join, NOTHING } from '../html.ts'

/** What somebody typed, and what is wrong with it, by the name of the field. */
export interface Filled {
  values: Readonly<Record<string, string>>
  problems: Readonly<Record<string, string>>
}

interface Field {
  name: string
  label: string
  autocomplete: string
  optional?: boolean
  hint?: string
  inputmode?: 'email' | 'numeric'
  placeholder?: string
}

/** A labelled input with its hint and what is wrong with it, tied together for those who can't see it.
 * No `type="email"`: browsers refuse or rewrite addresses in other scripts than Latin. */
export function field(one: Field, filled: Filled): Html {
  const { name, label, autocomplete, optional = false, hint, inputmode, placeholder } = one
  const problem = filled.problems[name]
  const described = [
    problem === undefined ? [] : [`${name}-problem`],
    hint === undefined ? [] : [`${name}-hint`],
  ].flat()
  return html`<div class="field">
<label class="label" for="${name}">${label}${optional ? OPTIONAL : NOTHING}</label>
${problemNote(name, filled)}
<input ${attributes({
    id: name,
    name,
    value: filled.values[name] ?? '',
    required: !optional,
    autocomplete,
    inputmode,
    placeholder,
    spellcheck: 'false',
    autocapitalize: inputmode === undefined ? undefined : 'none',
    'aria-describedby': described.join(' ') || undefined,
    'aria-invalid': problem === undefined ? undefined : 'true',
    autofocus: isFirstWrong(name, filled),
  })}>
${hint === undefined ? NOTHING : html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`
}

const OPTIONAL = html` <span class="optional">(optional)</span>`

/** Those that are undefined or false are left out. */
export function attributes(all: Readonly<Record<string, string | boolean | undefined>>): Html {
  const given = Object.entries(all).filter(([, value]) => value !== undefined && value !== false)
  return join(
    given.map(([name, value]) =>
      value === true ? html`${name}` : html`${name}="${String(value)}"`,
    ),
    ' ',
  )
}

/** Where a page is read again after a mistake, reading starts at the first one. */
export const isFirstWrong = (name: string, { problems }: Filled) =>
  Object.keys(problems)[0] === name

export function problemNote(name: string, { problems }: Filled): Html {
  const problem = problems[name]
  return problem === undefined
    ? NOTHING
    : html`<p class="wrong" id="${name}-problem">${problem}</p>`
}

/** Says at the top what is wrong, and leads to it. */
export function problemSummary({ problems }: Filled): Html {
  const links = Object.entries(problems).map(
    ([name, problem]) => html`<li><a href="#${name}">${problem}</a></li>`,
  )
  if (links.length === 0) return NOTHING
  return html`<div class="note bad" role="alert">
<p><strong>Please check what you entered</strong></p>
<ul>${links}</ul>
</div>`
}
