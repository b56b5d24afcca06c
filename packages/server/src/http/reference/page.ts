import { type Html, html, prose, table } from '../pages/html.ts'
import { exampleOf } from './examples.ts'
import {
  address,
  codesOf,
  codeTable,
  type ErrorExamples,
  fieldTable,
  jsonExample,
  type Operation,
  operationSection,
  type Shared,
} from './operations.ts'
import { RULES, type Rules } from './rules.ts'
import { languageChoice } from './samples.ts'
import { recordsIn, type Schemas } from './schema.ts'
import { referenceShell } from './shell.ts'
import { signingSection } from './signing.ts'

/** The parts of an OpenAPI document that the page uses. */
interface Contract {
  info: { title: string; version: string }
  servers: readonly { url: string; description: string }[]
  components: { schemas: Schemas; examples?: ErrorExamples }
  paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'method' | 'path'>>>>>
}

/** Renders the contract as a self-contained page. */
export function referencePage(document: object): string {
  const contract = document as Contract
  const operations = operationsOf(contract)
  return referenceShell({
    title: contract.info.title,
    header: header(contract),
    navigation: navigation(operations),
    main: content(contract, operations),
  })
}

function operationsOf({ paths }: Contract): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      ...one,
      path,
      method: method.toUpperCase(),
    })),
  )
}

function header({ info }: Contract): Html {
  return html`<header>
<p class="brand">Gatehouse</p>
<h1>${info.title}</h1>
<p><a href="docs/guides">Guides</a> lead you step by step. Interface revision <code>/r2/</code>; machine-readable as
<a href="openapi.json">openapi.json</a>. Programs of the back office use the <a href="docs/management">management API</a>.</p>
</header>`
}

function navigation(operations: readonly Operation[]): Html {
  const links = operations.map(
    (one) => html`<li><a href="#${one.operationId}">${address(one)}</a></li>`,
  )
  return html`<nav aria-label="On this page">
${languageChoice()}
<ul>
<li><a href="#environments">Environments</a></li>
<li><a href="#signing">Signing a request</a></li>
${RULES.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
<li><a href="#endpoints">Endpoints</a><ul>${links}</ul></li>
<li><a href="#records">Records within records</a></li>
<li><a href="#errors">Errors</a></li>
</ul>
</nav>`
}

function content(contract: Contract, operations: readonly Operation[]): Html {
  const { schemas, examples = {} } = contract.components
  const everywhere = commonCodes(operations)
  const shared = { schemas, examples, everywhere }
  return html`${environmentsSection(contract)}
${signingSection()}
${RULES.map(rulesSection)}
<section id="endpoints" aria-labelledby="endpoints-title">
<h2 id="endpoints-title">Endpoints</h2>
<p>Samples read <code>ADDRESS</code> (with <code>/sandbox</code> for the sandbox), <code>AID</code> and
<code>PRIVATE_KEY</code> from the environment.</p>
${operations.map((one) => operationSection(one, shared))}
</section>
${recordsSection(schemas)}
${errorsSection(shared)}`
}

function environmentsSection({ servers }: Contract): Html {
  const columns = [
    {
      title: 'Environment',
      show: (one: Contract['servers'][number]) => html`${one.description.replace(/\.$/, '')}`,
    },
    {
      title: 'Address',
      show: ({ url }: Contract['servers'][number]) =>
        html`<code>${url.replace(/\/$/, '')}/r2/&hellip;</code>`,
    },
  ]
  return html`<section id="environments" aria-labelledby="environments-title">
<h2 id="environments-title">Environments</h2>
<p>The environments are separate: each has its own applications, keys, users and records, and an AID of
one is unknown to the other. Emails of the sandbox are stored but not sent, unless the operator configured
a mail server for it.</p>
${table('Addresses on this host', columns, servers)}
<p>The operator can give each environment its own host name; paths then begin with
<code>/r2/</code> in both.</p>
</section>`
}

const rulesSection = ({ id, title, rules }: Rules): Html =>
  html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
<ul>
${rules.map((rule) => html`<li>${prose(rule)}</li>`)}
</ul>
</section>`

/** Lists the records that are nested in others. Each endpoint already describes its own. */
function recordsSection(schemas: Schemas): Html {
  const inner = recordsIn(Object.values(schemas))
  const sections = Object.entries(schemas)
    .filter(([name]) => inner.has(name))
    .map(
      ([name, schema]) => html`<section id="record-${name}" aria-labelledby="record-${name}-title">
<h3 id="record-${name}-title">${name}</h3>
${fieldTable(`All fields of ${name}`, schema)}
</section>`,
    )
  return html`<section id="records" aria-labelledby="records-title">
<h2 id="records-title">Records within records</h2>
${sections}
</section>`
}

/** The codes that every endpoint has. */
function commonCodes(operations: readonly Operation[]) {
  const [first = [], ...rest] = operations.map(codesOf)
  return first.filter(({ code }) => rest.every((codes) => codes.some((one) => one.code === code)))
}

const errorsSection = ({ schemas, examples, everywhere }: Shared) =>
  html`<section id="errors" aria-labelledby="errors-title">
<h2 id="errors-title">Errors</h2>
${jsonExample('Example of an error body', exampleOf(schemas, schemas.Error ?? {}))}
${fieldTable('Fields of error', schemas.Error?.properties?.error ?? {})}
${codeTable('Codes of every endpoint', everywhere, examples)}
</section>`
