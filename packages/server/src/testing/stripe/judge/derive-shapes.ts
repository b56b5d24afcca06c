import ts from 'typescript'
import type { Field, Fields, Shape } from './shapes.ts'

/** Turns types of the compiler into shapes, and collects the objects that they mention. */
export function createShapes(checker: ts.TypeChecker) {
  const names = new Map<ts.Type, string>()
  const taken = new Set<string>()
  const waiting: ts.Type[] = []

  function nameOf(type: ts.Type): string {
    const known = names.get(type)
    if (known !== undefined) return known
    const base = describe(type, checker)
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base}#${n}`
    taken.add(name)
    names.set(type, name)
    waiting.push(type)
    return name
  }

  function shapeOf(type: ts.Type): Shape {
    if (isStringUnlessListed(type)) return 'string'
    if (type.isUnion()) return unionOf(type.types, shapeOf)
    const { flags } = type
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return 'anything'
    if (type.isStringLiteral() || type.isNumberLiteral()) return { oneOf: [type.value] }
    if (flags & ts.TypeFlags.BooleanLiteral)
      return { oneOf: [checker.typeToString(type) === 'true'] }
    if (flags & ts.TypeFlags.StringLike) return 'string'
    if (flags & ts.TypeFlags.NumberLike) return 'number'
    if (flags & ts.TypeFlags.BooleanLike) return 'boolean'
    if (flags & ts.TypeFlags.Null) return 'null'
    return objectShapeOf(type)
  }

  function objectShapeOf(type: ts.Type): Shape {
    // The library turns decimal numbers, which are strings in answers and requests, into objects.
    if (type.symbol?.name === 'Decimal') return 'string'
    const [element] = checker.isArrayType(type)
      ? checker.getTypeArguments(type as ts.TypeReference)
      : []
    if (element) return { listOf: shapeOf(element) }
    const values = checker.getIndexTypeOfType(type, ts.IndexKind.String)
    if (values) return { mapOf: shapeOf(values) }
    return { object: nameOf(type) }
  }

  function fieldsOf(type: ts.Type): Fields {
    const fields: Record<string, Field> = {}
    for (const property of checker.getPropertiesOfType(type)) {
      const shape = shapeOf(checker.getTypeOfSymbol(property))
      const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0
      fields[property.name] = isOptional ? { shape, optional: true } : { shape }
    }
    return fields
  }

  /** The fields of all objects mentioned so far, and of those that they mention in turn. */
  function collectObjects(): Record<string, Fields> {
    const objects: Record<string, Fields> = {}
    for (let type = waiting.pop(); type; type = waiting.pop())
      objects[nameOf(type)] = fieldsOf(type)
    return objects
  }

  return { shapeOf, collectObjects }
}

/** Stripe's `OtherString`, which stands beside the values of a list that may grow: `string & Record<never, never>`. */
const isStringUnlessListed = (type: ts.Type): boolean =>
  type.isIntersection() && type.types.some((one) => (one.flags & ts.TypeFlags.String) !== 0)

function unionOf(types: readonly ts.Type[], shapeOf: (type: ts.Type) => Shape): Shape {
  const listed = types.filter((one) => !(one.flags & ts.TypeFlags.Undefined))
  const shapes = listed.filter((one) => !isStringUnlessListed(one)).map(shapeOf)
  const isOfValues = (one: Shape) => typeof one === 'object' && 'oneOf' in one
  const values = shapes.flatMap((one) =>
    typeof one === 'object' && 'oneOf' in one ? one.oneOf : [],
  )
  const isBoolean = values.includes(true) && values.includes(false)
  const texts = isBoolean ? values.filter((one) => typeof one !== 'boolean') : values
  const isOpen = texts.length === 0 && types.some(isStringUnlessListed)
  const all: Shape[] = shapes.filter((one) => !isOfValues(one))
  if (isBoolean) all.push('boolean')
  if (texts.length > 0) all.push({ oneOf: texts })
  if (isOpen) all.push('string')
  return all.length === 1 ? (all[0] as Shape) : { anyOf: all }
}

/** For example `Checkout/Sessions.Session.CustomerDetails`. */
function describe(type: ts.Type, checker: ts.TypeChecker): string {
  const symbol = type.aliasSymbol ?? type.symbol
  if (!symbol) return checker.typeToString(type)
  const [, path = '', name = ''] =
    /^"?(?:.*\/esm\/(?:resources\/)?([^"]*)"\.)?(.*)$/.exec(
      checker.getFullyQualifiedName(symbol),
    ) ?? []
  return path === '' ? name : `${path}.${name}`
}
