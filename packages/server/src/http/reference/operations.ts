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
  content: { 'application/json': { schema: Schema; examples?: Readonly<Record<string, object>> } }
}

interface Form {
  description: string
  content: Readonly<Record<string, { schema: Schema }>>
}

/** The examples of errors, by code. */
export type ErrorExamples = Readonly<Record<string, { summary: string; value: object }>>

/** A way in which an operation can fail. */
interface ErrorCode {
  status: string
  code: string
}

export interface Operation {
  method: string
  path: string
  operationId: string
  summary: string
  description: string
  parameters?: readonly Parameter[]
  requestBody?: Form
  responses: Readonly<Record<string, Answer>>
}

/** What the sections of all endpoints share. */
export interface Shared {
  schemas: Schemas
  examples: ErrorExamples
  /** The codes that all endpoints have. */
  everywhere: readonly ErrorCode[]
}

/** Renders the section of one endpoint. */
export function operationSection(operation: Operation, shared: Shared): Html {
  const { operationId, summary, description } = operation
  const parameters = parametersOf(operation)
  return html`<section id="${operationId}" class="operation" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title">${address(operation)}</h3>
<p class="lead">${summary}</p>
<p>${prose(description)}</p>
${requestExample(operation, parameters)}
${parameterTable(operation, parameters)}
${answerPart(operation, shared.schemas)}
${failurePart(operation, shared)}
</section>`
}

/** The parameters in the path and in the query, or those of a form that stands alone. */
function parametersOf({ parameters = [], requestBody }: Operation): readonly Parameter[] {
  const [form] = Object.values(requestBody?.content ?? {})
  if (parameters.length > 0 || !form) return parameters
  const { properties = {}, required = [] } = form.schema
  return Object.entries(properties).map(([name, schema]) => ({
    ...{ name, in: 'form', required: required.includes(name), schema },
    description: schema.description ?? '',
  }))
}

export function address({ method, path }: Operation): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>`
}

function requestExample(operation: Operation, parameters: readonly Parameter[]): Html {
  const names = parameters
    .filter((one) => one.required && one.in !== 'path')
    .map(({ name }) => name)
  const { method, path, operationId } = operation
  const target = exampleTarget(path, names)
  const sdk = sdkCallOf(operationId, path, names)
  return html`<h4>Request</h4>
<pre tabindex="0" aria-label="Example request"><code>${method} ${target}</code></pre>
${samplesPart({ auth: 'signature', method, target, sdk })}`
}

function parameterTable(
  { method, path, requestBody }: Operation,
  parameters: readonly Parameter[],
): Html {
  if (parameters.length === 0) return NOTHING
  const columns = [
    { title: 'Name', show: ({ name }: Parameter) => html`<code>${name}</code>` },
    { title: 'Type', show: ({ schema }: Parameter) => typeOf(schema) },
    { title: 'Required', show: ({ required }: Parameter) => html`${required ? 'yes' : 'no'}` },
    { title: 'Default', show: ({ schema }: Parameter) => defaultOf(schema) },
    { title: 'Limits', show: ({ schema }: Parameter) => limitsOf(schema) },
    { title: 'Meaning', show: (one: Parameter) => prose(meaningOf(one)) },
  ]
  return html`${table(`Parameters of ${method} ${path}`, columns, parameters)}
${requestBody ? html`<p>${prose(requestBody.description)}</p>` : NOTHING}`
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

/** All error codes of an operation, by status. */
export const codesOf = ({ responses }: Operation): ErrorCode[] =>
  Object.entries(responses).flatMap(([status, { content }]) =>
    Object.keys(content['application/json'].examples ?? {}).map((code) => ({ status, code })),
  )

export function codeTable(
  caption: string,
  codes: readonly ErrorCode[],
  examples: ErrorExamples,
): Html {
  const columns = [
    { title: 'Code', show: ({ code }: ErrorCode) => html`<code>${code}</code>` },
    { title: 'Status', show: ({ status }: ErrorCode) => html`${status}` },
    { title: 'Meaning', show: ({ code }: ErrorCode) => prose(examples[code]?.summary ?? '') },
  ]
  return table(caption, columns, codes)
}

function failurePart(operation: Operation, { examples, everywhere }: Shared): Html {
  const common = everywhere.map(({ code }) => code)
  const own = codesOf(operation).filter(({ code }) => !common.includes(code))
  const everyEndpoint = html`<p>And the codes of <a href="#errors">every endpoint</a>.</p>`
  if (own.length === 0) return html`<h4>Errors</h4>\n${everyEndpoint}`
  // What the endpoint is about comes before what all writes have in common.
  const typical = own.find(({ status }) => status === '404') ?? own[0]
  const example = examples[typical?.code ?? '']?.value
  return html`<h4>Errors</h4>
<div class="beside">
${codeTable(`Codes of ${operation.method} ${operation.path}`, own, examples)}
${jsonExample(`Example of an error of ${operation.method} ${operation.path}`, example)}
</div>
${everyEndpoint}`
}
