import type { StripeError } from '../errors.ts'
import type { Params } from '../form.ts'
import { alternativesOf, type Shape, type StripeTypes } from './shapes.ts'

/** Why Stripe would refuse a parameter: its error, whose `param` is always set. */
export type ParamProblem = Pick<StripeError, 'message' | 'code' | 'param'>

/** Compares the parameters of a request with the types of its route. */
export function judgeRequest(types: StripeTypes, route: string, params: Params): ParamProblem[] {
  const known = types.routes[route]
  if (!known) throw new Error(`stripe ${types.version} has no route ${route}`)
  const [shape] = alternativesOf(known.params)
  return shape === undefined
    ? Object.keys(params).map((name) => unknown(name))
    : judgeNested(types, shape, params, '')
}

const unknown = (param: string): ParamProblem => ({
  message: `Received unknown parameter: ${param}`,
  code: 'parameter_unknown',
  param,
})

/** The name of a nested parameter as it is sent: `line_items[0][quantity]`. */
const nameIn = (above: string, name: string) => (above === '' ? name : `${above}[${name}]`)

function judgeNested(types: StripeTypes, shape: Shape, params: Params, above: string) {
  if (typeof shape === 'object' && 'object' in shape) {
    return judgeFields(types, shape.object, params, above)
  }
  if (typeof shape === 'object' && 'listOf' in shape) {
    return judgeList(types, shape.listOf, params, above)
  }
  const problems = Object.entries(params).flatMap(([name, value]) =>
    typeof shape === 'object' && 'mapOf' in shape
      ? judgeParam(types, shape.mapOf, value, nameIn(above, name))
      : [unknown(nameIn(above, name))],
  )
  return [...problems, ...judgeMetadata(params, above)]
}

function judgeFields(
  types: StripeTypes,
  object: string,
  params: Params,
  above: string,
): ParamProblem[] {
  const fields = types.objects[object] ?? {}
  const sent = Object.entries(params).flatMap(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const param = nameIn(above, name)
    return field ? judgeParam(types, field.shape, value, param) : [unknown(param)]
  })
  const missing = Object.entries(fields)
    .filter(([name, { optional }]) => !optional && params[name] === undefined)
    .map(([name]) => ({
      message: `Missing required param: ${nameIn(above, name)}.`,
      code: 'parameter_missing',
      param: nameIn(above, name),
    }))
  return [...sent, ...missing]
}

function judgeList(types: StripeTypes, shape: Shape, params: Params, param: string) {
  const names = Object.keys(params)
  if (names.some((name, index) => name !== String(index))) {
    return [{ message: 'Invalid array', param }]
  }
  return names.flatMap((name) => judgeParam(types, shape, params[name], nameIn(param, name)))
}

function judgeParam(
  types: StripeTypes,
  shape: Shape,
  value: string | Params | undefined,
  param: string,
): ParamProblem[] {
  if (value === undefined) return []
  const fitting = alternativesOf(shape).filter(
    (one) => isNested(one) === (typeof value === 'object'),
  )
  const tried = fitting.map((one) =>
    typeof value === 'object'
      ? judgeNested(types, one, value, param)
      : problemWithText(one, value, param),
  )
  const [first] = tried
  if (first === undefined) {
    const wanted = typeof value === 'object' ? 'string' : 'object'
    return [{ message: `Invalid ${wanted}`, param }]
  }
  return tried.some((problems) => problems.length === 0) ? [] : first
}

const isNested = (shape: Shape) => typeof shape === 'object' && !('oneOf' in shape)

function problemWithText(shape: Shape, value: string, param: string): ParamProblem[] {
  const invalid = (message: string, code?: string) => [
    { message, param, ...(code === undefined ? {} : { code }) },
  ]
  if (typeof shape === 'object' && 'oneOf' in shape) {
    const texts = shape.oneOf.map(String)
    return texts.includes(value)
      ? []
      : invalid(`Invalid ${param}: must be one of ${texts.join(', ')}`)
  }
  if (shape === 'null') return value === '' ? [] : invalid('Must be empty')
  if (value === '') {
    return invalid(`You passed an empty string for '${param}'.`, 'parameter_invalid_empty')
  }
  // The types don't tell whole numbers from others. Of the numbers that we send, all are whole.
  if (shape === 'number' && !/^-?\d+$/.test(value)) {
    return invalid(`Invalid integer: ${value}`, 'parameter_invalid_integer')
  }
  const isBoolean = value === 'true' || value === 'false'
  return shape === 'boolean' && !isBoolean ? invalid(`Invalid boolean: ${value}`) : []
}

const MAX_KEYS = 50
const MAX_NAME = 40
const MAX_VALUE = 500

/** Stripe's limits of metadata, which are in its documentation only. */
function judgeMetadata(params: Params, above: string): ParamProblem[] {
  if (!/(^|\[)metadata\]?$/.test(above)) return []
  const entries = Object.entries(params)
  if (entries.length > MAX_KEYS) {
    return [{ message: `Metadata can have at most ${MAX_KEYS} keys`, param: above }]
  }
  return entries
    .filter(([name, value]) => name.length > MAX_NAME || String(value).length > MAX_VALUE)
    .map(([name]) => ({ message: 'Metadata is too long', param: nameIn(above, name) }))
}
