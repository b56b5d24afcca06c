import { type Html, html, join, NOTHING } from './html.ts'
import { pageTexts } from './texts.ts'

/** The values of a submitted form and their problems, by field name. */
export interface FormState {
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

/** Renders a labeled input with its hint and its problem, linked for screen readers. Never uses `type="email"`:
 * browsers reject or rewrite addresses in non-Latin scripts. */
export function field(one: Field, form: FormState): Html {
  const { name, label, autocomplete, optional = false, hint, inputmode, placeholder } = one
  const problem = form.problems[name]
  const described = [
    problem === undefined ? [] : [`${name}-problem`],
    hint === undefined ? [] : [`${name}-hint`],
  ].flat()
  return html`<div class="field">
<label class="label" for="${name}">${label}${optional ? optionalMark() : NOTHING}</label>
${problemNote(name, form)}
<input ${attributes({
    id: name,
    name,
    value: form.values[name] ?? '',
    required: !optional,
    autocomplete,
    inputmode,
    placeholder,
    spellcheck: 'false',
    autocapitalize: inputmode === undefined ? undefined : 'none',
    'aria-describedby': described.join(' ') || undefined,
    'aria-invalid': problem === undefined ? undefined : 'true',
    autofocus: isFirstWithProblem(name, form),
  })}>
${hint === undefined ? NOTHING : html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`
}

const optionalMark = () => html` <span class="optional">${pageTexts().optional}</span>`

/** Renders HTML attributes; leaves out those that are undefined or false. */
export function attributes(all: Readonly<Record<string, string | boolean | undefined>>): Html {
  const given = Object.entries(all).filter(([, value]) => value !== undefined && value !== false)
  return join(
    given.map(([name, value]) =>
      value === true ? html`${name}` : html`${name}="${String(value)}"`,
    ),
    ' ',
  )
}

/** Whether a field is the first with a problem: it gets the focus when the form is shown again. */
export const isFirstWithProblem = (name: string, { problems }: FormState) =>
  Object.keys(problems)[0] === name

export function problemNote(name: string, { problems }: FormState): Html {
  const problem = problems[name]
  return problem === undefined
    ? NOTHING
    : html`<p class="wrong" id="${name}-problem">${problem}</p>`
}

/** Renders the list of problems above a form, each linked to its field. */
export function problemSummary({ problems }: FormState): Html {
  const links = Object.entries(problems).map(
    ([name, problem]) => html`<li><a href="#${name}">${problem}</a></li>`,
  )
  if (links.length === 0) return NOTHING
  return html`<div class="note bad" role="alert">
<p><strong>${pageTexts().checkForm}</strong></p>
<ul>${links}</ul>
</div>`
}

/** Returns the page title, which says first if the form has problems. */
export const pageTitle = (title: string, { problems }: FormState): string =>
  Object.keys(problems).length > 0 ? pageTexts().titleWithError(title) : title
