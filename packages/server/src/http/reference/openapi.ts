import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { Prefixes } from '../../config/addresses.ts'
import { type FailureCode, fail } from '../../errors.ts'
import { errorExample } from './examples.ts'
import { rulesInMarkdown } from './rules.ts'
import { signingInMarkdown } from './signing.ts'
import { LICENSE, listTags, tagsOf } from './tags.ts'

const DESCRIPTION =
  'Decides who may see what on your site. Every request is signed: see `signature`.'

/** How the contract is made from the schemas of the routes. */
export function contractOptions(prefixes: Prefixes): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gatehouse access API',
        version: '2',
        description: `${DESCRIPTION}\n\n${rulesInMarkdown()}`,
        license: LICENSE,
      },
      tags: listTags(),
      servers: [
        { url: prefixes.production || '/', description: 'Production.' },
        { url: prefixes.sandbox, description: 'Sandbox.' },
      ],
      components: {
        securitySchemes: {
          signature: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: signingInMarkdown(),
          },
        },
      },
    },
    refResolver: { buildLocalReference: (json) => String(json.$id) },
    // The contract lists each endpoint once; the environments are its servers.
    transform: ({ schema, url }) => {
      const inSandbox = url.startsWith(`${prefixes.sandbox}/`)
      const prefix = inSandbox ? prefixes.sandbox : prefixes.production
      const path = url.slice(prefix.length)
      const hide = inSandbox ? { hide: !(schema && 'x-sandbox-only' in schema) } : {}
      return { schema: { ...schema, ...hide, tags: tagsOf(path) }, url: path }
    },
    transformObject: (document) =>
      'openapiObject' in document
        ? (complete(document.openapiObject as unknown as Contract) as never)
        : document.swaggerObject,
  }
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: object
}

interface Answer {
  description: string
  headers?: object
  content: { 'application/json': { schema: object; examples?: object } }
}

interface Operation {
  parameters?: Parameter[]
  requestBody?: object
  responses: Record<string, Answer>
  'x-error-codes'?: FailureCode[]
  'x-form'?: boolean
}

interface Contract {
  components: { examples?: object }
  paths: Record<string, Record<string, Operation>>
}

/** Adds what the schemas of routes can't say: error codes, headers of answers, and forms. */
function complete(contract: Contract): Contract {
  const used = new Set<FailureCode>()
  for (const methods of Object.values(contract.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      for (const code of operation['x-error-codes'] ?? []) used.add(code)
      addCodes(operation)
      if (method === 'post') addForm(operation)
    }
  }
  const examples = [...used].sort().map((code) => [code, errorExample(code)])
  return {
    ...contract,
    components: { ...contract.components, examples: Object.fromEntries(examples) },
  }
}

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds after which to send the request again.',
    schema: { type: 'integer' },
  },
}

function addCodes(operation: Operation): void {
  const codes = operation['x-error-codes'] ?? []
  for (const [status, answer] of Object.entries(operation.responses)) {
    const own = codes.filter((code) => fail(code).status === Number(status))
    if (own.length === 0) continue
    answer.description += ` Codes: ${own.map((code) => `\`${code}\``).join(', ')}.`
    if (status === '429' || status === '503') answer.headers = RETRY_AFTER
    answer.content['application/json'].examples = Object.fromEntries(
      own.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
    )
  }
  delete operation['x-error-codes']
}

const REPLAYED = {
  'Idempotent-Replayed': {
    description:
      '`true` if a request with this `idempotency_key` took effect before, and this is its answer; left out otherwise.',
    schema: { type: 'string' },
  },
}

/**
 * Describes the form body. OpenAPI can't say that a parameter is required in the query or in the body: those of the
 * query are marked as required, because that is what clients send.
 */
function addForm(operation: Operation): void {
  const { parameters = [], 'x-form': isForm = false, responses } = operation
  const fields = parameters.map(({ name, schema, description }) => [
    name,
    { ...schema, description },
  ])
  const required = parameters.filter((one) => one.required).map(({ name }) => name)
  const schema = { type: 'object', properties: Object.fromEntries(fields) }
  operation.requestBody = {
    description: isForm
      ? 'The parameters, as a form. The signature covers it.'
      : 'A form body can carry the parameters instead of the query. Send each once, in one of the two; the signature covers both.',
    required: isForm,
    content: {
      'application/x-www-form-urlencoded': { schema: isForm ? { ...schema, required } : schema },
    },
  }
  if (isForm) operation.parameters = []
  if (parameters.some(({ name }) => name === 'idempotency_key') && responses[200]) {
    responses[200].headers = REPLAYED
  }
  delete operation['x-form']
}
