import { type Html, html, NOTHING, prose, table } from '../pages/html.ts'
import { bodyExample, exampleTarget } from './examples.ts'
import { address, fieldTable, type Parameter } from './operations.ts'
import { languageChoice, samplesPart, uploadSample } from './samples.ts'
import { type Schema, type Schemas, typeOf } from './schema.ts'
import { referenceShell } from './shell.ts'

interface Content {
  content?: Readonly<Record<string, { schema: Schema }>>
}

interface Operation {
  method: string
  path: string
  operationId: string
  summary: string
  description: string
  tags: readonly string[]
  parameters: readonly Parameter[]
  requestBody?: Content
  responses: Readonly<Record<string, Content>>
}

/** The parts of an OpenAPI document that the page uses. */
interface Contract {
  info: { title: string; description: string }
  tags: readonly { name: string; description: string }[]
  components: { schemas: Schemas }
  paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'method' | 'path'>>>>>
}

/** The prefix of all paths. The page shortens it to `…`. */
const BASE = '/management/v1'

/** Renders the contract of the management API as a self-contained page. */
export function managementPage(document: object): string {
  const contract = document as Contract
  const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      ...one,
      path,
      method: method.toUpperCase(),
    })),
  )
  const groups = contract.tags
    .map((tag) => ({
      ...tag,
      operations: operations.filter(({ tags }) => tags.includes(tag.name)),
    }))
    .filter((group) => group.operations.length > 0)
  return referenceShell({
    title: contract.info.title,
    header: header(contract),
    navigation: navigation(groups),
    main: html`${tokenSection()}
${groups.map((group) => groupSection(group))}
${recordsSection(contract.components.schemas)}`,
  })
}

interface Group {
  name: string
  description: string
  operations: readonly Operation[]
}

const header = ({ info }: Contract) => html`<header>
<p class="brand">Gatehouse</p>
<h1>${info.title}</h1>
<p>${prose(info.description)} <a href="guides/manage">The guide</a> begins with a token. Machine-readable as
<a href="../management/v1/openapi.json">openapi.json</a>. Sites use the <a href="../docs">access API</a>.</p>
</header>`

function navigation(groups: readonly Group[]): Html {
  const items = groups.map(
    ({ name, operations }) =>
      html`<li><a href="#tag-${name}">${name}</a><ul>${operations.map(
        (one) => html`<li><a href="#${one.operationId}">${one.summary}</a></li>`,
      )}</ul></li>`,
  )
  return html`<nav aria-label="On this page">
${languageChoice()}
<ul><li><a href="#token">The token</a></li>${items}<li><a href="#records">Records</a></li></ul>
</nav>`
}

const tokenSection = () => html`<section id="token" aria-labelledby="token-title">
<h2 id="token-title">The token</h2>
<p>Every request carries a management token, which the team's page of the dashboard or <code>gatehouse token create</code> makes:</p>
<pre tabindex="0" aria-label="Shape of the header"><code>Authorization: Bearer ghm_&hellip;</code></pre>
<p>Samples read <code>ADDRESS</code>, such as <code>http://localhost:8080</code>, and <code>TOKEN</code> from the environment. Every error has
the same body, with a <code>code</code> for programs and a <code>message</code> for people.</p>
</section>`

const groupSection = ({ name, description, operations }: Group) =>
  html`<section id="tag-${name}" aria-labelledby="tag-${name}-title">
<h2 id="tag-${name}-title">${name}</h2>
<p>${description}</p>
${operations.map((one) => operationSection(one))}
</section>`

function operationSection(operation: Operation): Html {
  const { operationId, summary, description } = operation
  const shown = { ...operation, path: operation.path.replace(BASE, '…') }
  return html`<section id="${operationId}" class="operation" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title">${summary}</h3>
<p class="lead">${address(shown as never)}</p>
<p>${prose(description)}</p>
<h4>Request</h4>
${samples(operation)}
${parameterTable(operation)}
${bodyTable(operation)}
<h4>Answer</h4>
${answer(operation)}
</section>`
}

function samples({ method, path, parameters, requestBody }: Operation): Html {
  const names = parameters.filter((one) => one.required && one.in === 'query')
  const target = exampleTarget(
    path,
    names.map(({ name }) => name),
  )
  const schema = requestBody?.content?.['application/json']?.schema
  const call = { auth: 'token', method, target, body: schema && bodyExample(schema) } as const
  return requestBody && !schema ? uploadSample(call) : samplesPart(call)
}

function parameterTable({ summary, parameters }: Operation): Html {
  if (parameters.length === 0) return NOTHING
  const columns = [
    { title: 'Name', show: ({ name }: Parameter) => html`<code>${name}</code>` },
    { title: 'In', show: ({ in: where }: Parameter) => html`${where}` },
    { title: 'Type', show: ({ schema }: Parameter) => typeOf(schema) },
    { title: 'Required', show: ({ required }: Parameter) => html`${required ? 'yes' : 'no'}` },
    { title: 'Meaning', show: ({ description = '' }: Parameter) => prose(description) },
  ]
  return table(`Parameters: ${summary}`, columns, parameters)
}

function bodyTable({ summary, requestBody }: Operation): Html {
  const schema = requestBody?.content?.['application/json']?.schema
  if (schema?.properties) {
    return fieldTable(`Fields of the body: ${summary}`, schema, 'Required')
  }
  return requestBody ? html`<p>The body is the file itself.</p>` : NOTHING
}

function answer({ summary, responses }: Operation): Html {
  const { 'application/json': json, 'text/csv': csv } = responses['200']?.content ?? {}
  if (csv) return html`<p>A CSV file.</p>`
  if (!json) return html`<p>Nothing: status 204.</p>`
  if (json.schema.properties) return fieldTable(`Fields of the answer: ${summary}`, json.schema)
  return html`<p>${typeOf(json.schema)}</p>`
}

function recordsSection(schemas: Schemas): Html {
  const sections = Object.entries(schemas).map(
    ([name, schema]) => html`<div id="record-${name}">
<h3>${name}</h3>
${schema.properties ? fieldTable(`Fields of ${name}`, schema) : html`<p>${typeOf(schema)}</p>`}
</div>`,
  )
  return html`<section id="records" aria-labelledby="records-title">
<h2 id="records-title">Records</h2>
${sections}
</section>`
}
