import { alternativesOf, type Shape, type StripeTypes } from './shapes.ts'

/** What is known about the values to judge. */
export interface AnswerRules {
  types: StripeTypes
  /** The fields that our adapter reads, by the name of the object. Only these must not be missing. */
  reads: ReadonlyMap<string, ReadonlySet<string>>
  /** Whether an object, given by its id, contradicts the types on purpose. */
  isOdd: (id: unknown) => boolean
}

/** Says where a value contradicts its shape, for example `answer.status: null is not allowed`. */
export function judgeValue(
  rules: AnswerRules,
  shape: Shape,
  value: unknown,
  path: string,
): string[] {
  if (shape === 'anything') return []
  if (rules.isOdd((value as { id?: unknown } | null)?.id)) return []
  const alternatives = alternativesOf(shape)
  const fitting = alternatives.filter((one) => isOfKind(one, value))
  if (fitting.length === 0)
    return [
      `${path}: ${show(value)} is not allowed; it is ${alternatives.map(kindOf).join(' or ')}`,
    ]
  const tried = fitting.map((one) => judgeAs(rules, one, value, path))
  return tried.reduce((best, one) => (one.length < best.length ? one : best))
}

function isOfKind(shape: Shape, value: unknown): boolean {
  if (shape === 'null') return value === null
  if (shape === 'anything') return true
  if (typeof shape === 'string') return typeof value === shape
  if ('oneOf' in shape) return shape.oneOf.includes(value as string)
  if ('listOf' in shape) return Array.isArray(value)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const kindOf = (shape: Shape): string => {
  if (typeof shape === 'string') return shape
  if ('oneOf' in shape) return `one of ${shape.oneOf.join(', ')}`
  return 'listOf' in shape ? 'a list' : 'an object'
}

function judgeAs(rules: AnswerRules, shape: Shape, value: unknown, path: string): string[] {
  if (typeof shape === 'string' || 'oneOf' in shape) return []
  if ('listOf' in shape) {
    const items = value as readonly unknown[]
    return items.flatMap((item, i) => judgeValue(rules, shape.listOf, item, `${path}[${i}]`))
  }
  const entries = Object.entries(value as object).filter(([, one]) => one !== undefined)
  if ('mapOf' in shape) {
    return entries.flatMap(([name, one]) => judgeValue(rules, shape.mapOf, one, `${path}.${name}`))
  }
  return 'object' in shape ? judgeObject(rules, shape.object, entries, path) : []
}

function judgeObject(
  { types, reads, isOdd }: AnswerRules,
  name: string,
  entries: readonly [string, unknown][],
  path: string,
): string[] {
  const fields = types.objects[name] ?? {}
  const given = new Set(entries.map(([field]) => field))
  const missing = [...(reads.get(name) ?? [])]
    .filter((field) => !given.has(field) && fields[field]?.optional !== true)
    .map(
      (field) => `${path}.${field}: missing, but Stripe always sends it and our adapter reads it`,
    )
  const wrong = entries.flatMap(([field, value]) => {
    const known = Object.hasOwn(fields, field) ? fields[field] : undefined
    return known
      ? judgeValue({ types, reads, isOdd }, known.shape, value, `${path}.${field}`)
      : [`${path}.${field}: Stripe's types have no such field`]
  })
  return [...missing, ...wrong]
}

const show = (value: unknown) => JSON.stringify(value)?.slice(0, 80)
