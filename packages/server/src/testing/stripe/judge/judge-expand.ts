import { alternativesOf, objectNamesIn, type Shape, type StripeTypes } from './shapes.ts'

const MAX_LEVELS = 4

/** Returns Stripe's message if a path can't be expanded in the answers of a route. */
export function judgeExpand(types: StripeTypes, route: string, path: string): string | undefined {
  const levels = path.split('.')
  if (levels.length > MAX_LEVELS) {
    return `You cannot expand more than ${MAX_LEVELS} levels of a property. Property: ${path}`
  }
  const answer = types.routes[route]?.answer
  if (answer === undefined) return undefined
  if (isExpandable(types, answer, levels)) return undefined
  const advice = isExpandable(types, answer, ['data', ...levels])
    ? ` You may want to try expanding 'data.${path}' instead.`
    : ''
  return `This property cannot be expanded (${path}).${advice}`
}

function isExpandable(types: StripeTypes, shape: Shape, levels: readonly string[]): boolean {
  const [first, ...rest] = levels
  if (first === undefined) return hasIdAndObject(shape)
  return objectNamesIn(shape).some((name) => {
    const fields = types.objects[name] ?? {}
    const field = Object.hasOwn(fields, first) ? fields[first] : undefined
    return field !== undefined && isExpandable(types, field.shape, rest)
  })
}

/** Whether the value is either an id or the object that the id names. */
function hasIdAndObject(shape: Shape): boolean {
  const all = alternativesOf(shape)
  return all.includes('string') && all.some((one) => typeof one === 'object' && 'object' in one)
}
