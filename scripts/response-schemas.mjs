// Derives the JSON schemas of the management API's responses from the types of its routes' handlers, so that a response
// is described once, by its type.
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROUTES = fileURLToPath(
  new URL('../packages/server/src/http/dashboard/routes.ts', import.meta.url),
)
const CONFIG = fileURLToPath(new URL('../tsconfig.json', import.meta.url))

/** Types that are sent as a file instead of JSON. */
const FILES = new Set(['Readable', 'FastifyReply'])

/** @returns {{ responses: Record<string, object>, schemas: Record<string, object> }} The responses by the target of the
 * route, where `*` stands for what the source computes, and the named types in them. */
export function responseSchemas() {
  const { config } = ts.readConfigFile(CONFIG, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, include: [], files: [ROUTES] },
    ts.sys,
    root(),
  )
  const program = ts.createProgram([ROUTES], options)
  const writer = new SchemaWriter(program.getTypeChecker())
  const responses = {}
  for (const source of program.getSourceFiles()) {
    if (!source.fileName.includes('/http/dashboard/')) continue
    for (const [target, schema] of writer.routesIn(source)) responses[target] = schema
  }
  return { responses: sorted(responses), schemas: sorted(Object.fromEntries(writer.schemas)) }
}

const root = () => fileURLToPath(new URL('..', import.meta.url))
const sorted = (record) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

class SchemaWriter {
  /** @type {Map<string, object>} */
  schemas = new Map()
  #checker

  constructor(checker) {
    this.#checker = checker
  }

  /** Finds the calls of `appRoute` and `staffRoute`, at any depth. */
  *routesIn(node) {
    const isRoute =
      ts.isCallExpression(node) && /^(app|staff)Route$/.test(node.expression.getText())
    if (isRoute && ts.isObjectLiteralExpression(node.arguments[1])) {
      const found = this.#readRoute(node.arguments[1])
      if (found) yield found
    }
    for (const child of childrenOf(node)) yield* this.routesIn(child)
  }

  #readRoute({ properties }) {
    const named = (name) => properties.find((one) => one.name?.getText() === name)
    const target = targetIn(named('management')?.initializer)
    const handle = named('handle')
    if (target === undefined || !handle) return undefined
    const [signature] = this.#checker.getTypeAtLocation(handle).getCallSignatures()
    const promised = this.#checker.getReturnTypeOfSignature(signature)
    return [target, this.#responseOf(this.#checker.getAwaitedType(promised))]
  }

  #responseOf(type) {
    const parts = type.isUnion() ? type.types : [type]
    if (parts.some((one) => FILES.has(one.symbol?.name))) return { file: true }
    if (parts.every((one) => one.flags & (ts.TypeFlags.Void | ts.TypeFlags.Undefined))) return {}
    return { json: this.#schemaOf(type) }
  }

  #schemaOf(type) {
    const { flags } = type
    if (type.isStringLiteral()) return { type: 'string', enum: [type.value] }
    if (type.isNumberLiteral()) return { type: 'number', enum: [type.value] }
    if (flags & ts.TypeFlags.BooleanLiteral) {
      return { type: 'boolean', enum: [type.intrinsicName === 'true'] }
    }
    if (flags & ts.TypeFlags.String || flags & ts.TypeFlags.TemplateLiteral)
      return { type: 'string' }
    if (flags & ts.TypeFlags.Number) return { type: 'number' }
    if (flags & ts.TypeFlags.Boolean) return { type: 'boolean' }
    if (flags & ts.TypeFlags.Null) return { type: 'null' }
    if (type.isUnion()) return this.#unionOf(type)
    if (this.#checker.isArrayLikeType(type)) {
      const [item] = this.#checker.getTypeArguments(type)
      return { type: 'array', items: this.#schemaOf(item) }
    }
    if (flags & ts.TypeFlags.Object || type.isIntersection()) return this.#recordOf(type)
    return {}
  }

  #unionOf(type) {
    const parts = type.types.filter((one) => !(one.flags & ts.TypeFlags.Undefined))
    const literals = parts.filter((one) => one.isStringLiteral())
    const booleans = parts.filter((one) => one.flags & ts.TypeFlags.BooleanLiteral)
    const rest = parts.filter((one) => !literals.includes(one) && !booleans.includes(one))
    const written = [
      ...(literals.length > 0 ? [{ type: 'string', enum: literals.map((one) => one.value) }] : []),
      ...(booleans.length === 2
        ? [{ type: 'boolean' }]
        : booleans.map((one) => this.#schemaOf(one))),
      ...rest.map((one) => this.#schemaOf(one)),
    ]
    return written.length === 1 ? written[0] : { anyOf: written }
  }

  /** A named type is described once, and referred to by its name. */
  #recordOf(type) {
    const name = nameOf(type)
    if (name === undefined) return this.#objectOf(type)
    if (!this.schemas.has(name)) {
      // Before its properties are read: a type may contain itself.
      this.schemas.set(name, {})
      this.schemas.set(name, this.#objectOf(type))
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  #objectOf(type) {
    const index = this.#checker.getIndexInfoOfType(type, ts.IndexKind.String)
    const members = this.#checker.getPropertiesOfType(type)
    if (index && members.length === 0) {
      return { type: 'object', additionalProperties: this.#schemaOf(index.type) }
    }
    const properties = {}
    const required = []
    for (const member of members) {
      const memberType = this.#checker.getTypeOfSymbol(member)
      const meaning = ts.displayPartsToString(member.getDocumentationComment(this.#checker))
      const schema = this.#schemaOf(memberType)
      properties[member.name] =
        meaning === '' ? schema : { ...schema, description: meaning.replace(/\s+/g, ' ') }
      if (!(member.flags & ts.SymbolFlags.Optional)) required.push(member.name)
    }
    return { type: 'object', properties, required }
  }
}

function childrenOf(node) {
  const children = []
  node.forEachChild((child) => void children.push(child))
  return children
}

/** The text of a literal; computed parts of a template become `*`. */
function targetIn(node) {
  if (node === undefined) return undefined
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map(({ literal }) => `*${literal.text}`).join('')
}

/** `Page<AccessItem>` is `AccessItemPage`. An anonymous type has no name. */
function nameOf(type) {
  const symbol = type.aliasSymbol ?? type.symbol
  const name = symbol?.name
  if (name === undefined || name === '__type' || name === '__object') return undefined
  if (['Record', 'Readonly', 'Omit', 'Pick', 'Partial', 'Required'].includes(name)) return undefined
  const given = type.aliasSymbol ? type.aliasTypeArguments : type.typeArguments
  const inner = (given ?? []).map((one) => nameOf(one))
  if (inner.includes(undefined)) return inner.length > 0 ? undefined : name
  return `${inner.join('')}${name}`
}
