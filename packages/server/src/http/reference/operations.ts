import { type Html, html, NOTHING, prose, table } from '../pages/html.ts'
import { exampleOf, exampleTarget } from './examples.ts'
import { samplesPart } from './samples.ts'
import { defaultOf, limitsOf, nameIn, type Schema, type Schemas, typeOf } from './schema.ts'
import { sdkCallOf } from './sdk-samples.ts'

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

interface Answer {
  description: string
  content: { 'application/json': { schema: Schema } }
}

export interface Operation {
  method: string
  path: string
  operationId: string
  summary: string
  description: string
  parameters?: readonly Parameter[]
  responses: Readonly<Record<string, Answer>>
}

/** Renders the section of one endpoint. `everywhere` lists the failures that all endpoints share. */
export function operationSection(
  operation: Operation,
  schemas: Schemas,
  everywhere: readonly string[],
): Html {
  const { operationId, summary, description, parameters = [] } = operation
  return html`<section id="${operationId}" class="operation" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title">${address(operation)}</h3>
<p class="lead">${summary}</p>
<p>${prose(description)}</p>
${requestExample(operation, parameters)}
${parameterTable(operation, parameters)}
${answerPart(operation, schemas)}
${failureList(operation, everywhere)}
</section>`
}

export function address({ method, path }: Operation): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>`
}

function requestExample(operation: Operation, parameters: readonly Parameter[]): Html {
  const names = parameters
    .filter((one) => one.required && one.in === 'query')
    .map(({ name }) => name)
  const { method, path, operationId } = operation
  const target = exampleTarget(path, names)
  const sdk = sdkCallOf(operationId, path, names)
  return html`<h4>Request</h4>
<pre tabindex="0" aria-label="Example request"><code>${method} ${target}</code></pre>
${samplesPart({ auth: 'signature', method, target, sdk })}`
}

function parameterTable({ method, path }: Operation, parameters: readonly Parameter[]): Html {
  if (parameters.length === 0) return NOTHING
  const columns = [
    { title: 'Name', show: ({ name }: Parameter) => html`<code>${name}</code>` },
    { title: 'Type', show: ({ schema }: Parameter) => typeOf(schema) },
    { title: 'Required', show: ({ required }: Parameter) => html`${required ? 'yes' : 'no'}` },
    { title: 'Default', show: ({ schema }: Parameter) => defaultOf(schema) },
    { title: 'Limits', show: ({ schema }: Parameter) => limitsOf(schema) },
    { title: 'Meaning', show: (one: Parameter) => prose(meaningOf(one)) },
  ]
  return table(`Parameters of ${method} ${path}`, columns, parameters)
}

const meaningOf = ({ in: where, description = '' }: Parameter) =>
  where === 'path' ? `${description} Stands in the path.` : description

function answerPart({ responses }: Operation, schemas: Schemas): Html {
  const schema = responses['200']?.content['application/json'].schema ?? {}
  const name = nameIn(schema.$ref ?? '')
  return html`<h4>Answer</h4>
<div class="beside">
${fieldTable(`Fields of ${name}`, schemas[name] ?? {})}
${jsonExample(`Example of ${name}`, exampleOf(schemas, schema))}
</div>`
}

export function fieldTable(caption: string, record: Schema, title = 'Always there'): Html {
  const required = new Set(record.required ?? [])
  const rows = Object.entries(record.properties ?? {})
  const columns = [
    { title: 'Field', show: ([name]: [string, Schema]) => html`<code>${name}</code>` },
    { title: 'Type', show: ([, schema]: [string, Schema]) => typeOf(schema) },
    {
      title,
      show: ([name]: [string, Schema]) => html`${required.has(name) ? 'yes' : 'no'}`,
    },
    { title: 'Meaning', show: ([, { description = '' }]: [string, Schema]) => prose(description) },
  ]
  return table(caption, columns, rows)
}

export function jsonExample(label: string, value: unknown): Html {
  return html`<pre tabindex="0" aria-label="${label}"><code>${JSON.stringify(value, null, 2)}</code></pre>`
}

export const failuresOf = ({ responses }: Operation) =>
  Object.keys(responses).filter((status) => Number(status) >= 400)

function failureList(operation: Operation, everywhere: readonly string[]): Html {
  const own = failuresOf(operation).filter((status) => !everywhere.includes(status))
  const items = own.map(
    (status) =>
      html`<li><strong>${status}</strong> ${prose(operation.responses[status]?.description ?? '')}</li>`,
  )
  return html`<h4>Failures</h4>
<ul class="failures">${items}<li>${everywhere.join(', ')}: as at <a href="#errors">every endpoint</a>.</li></ul>`
}
