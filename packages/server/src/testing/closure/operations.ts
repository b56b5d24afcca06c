import { readFileSync } from 'node:fs'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
}

interface BodySchema {
  required?: string[]
  properties?: Record<string, { type?: string }>
}

interface Described {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: BodySchema }> }
}

/** An operation of one of the two APIs, as its contract describes it. */
export interface Operation {
  id: string
  method: string
  path: string
  /** The names of its parameters in the path, the query or the form, and the JSON body. */
  pathNames: string[]
  required: string[]
  optional: string[]
  /** Whether its parameters are in a form, not in the query. */
  isForm: boolean
  body: { required: string[]; optional: string[] } | undefined
  /** The names in the body that take a list. */
  lists: string[]
}

const ROOT = new URL('../../../../../', import.meta.url)

/** Reads all operations of a contract, `openapi.json` or `gatehouse-management.json`. */
export function readOperations(file: string): Operation[] {
  const contract = JSON.parse(readFileSync(new URL(file, ROOT), 'utf8')) as {
    paths: Record<string, Record<string, Described>>
  }
  return Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => toOperation(method.toUpperCase(), path, one)),
  )
}

function toOperation(method: string, path: string, described: Described): Operation {
  const { operationId: id, requestBody } = described
  const form = requestBody?.content['application/x-www-form-urlencoded']?.schema
  // The form of most operations repeats the parameters of their query.
  const isForm = form !== undefined && !described.parameters?.length
  const parameters = isForm ? parametersOf(form) : (described.parameters ?? [])
  const named = (isNamed: (one: Parameter) => boolean) =>
    parameters.filter(isNamed).map(({ name }) => name)
  const schema = requestBody?.content['application/json']?.schema
  const { required = [], properties = {} } = schema ?? {}
  return {
    ...{ id, method, path, isForm },
    pathNames: named((one) => one.in === 'path'),
    required: named((one) => one.in === 'query' && one.required === true),
    optional: named((one) => one.in === 'query' && one.required !== true),
    lists: Object.keys(properties).filter((name) => properties[name]?.type === 'array'),
    body: schema && {
      required,
      optional: Object.keys(properties).filter((name) => !required.includes(name)),
    },
  }
}

/** The fields of a form as parameters: a signed request can have them in its query too. */
const parametersOf = ({ required = [], properties = {} }: BodySchema): Parameter[] =>
  Object.keys(properties).map((name) => ({ name, in: 'query', required: required.includes(name) }))
