/** The parts of Babel's syntax nodes that are looked at. */
interface Node {
  type: string
  value?: unknown
  quasis?: { value: { raw: string } }[]
  callee?: Node
  object?: Node
  property?: Node
  name?: string
  arguments?: Node[]
}
interface NodePath {
  node: Node
  parentPath: NodePath | null
}

/** Methods of the query builder whose texts name tables and columns: another name is an error of the database. */
const QUERY_METHODS =
  /^(selectFrom|insertInto|updateTable|deleteFrom|select|selectAll|where|whereRef|innerJoin|leftJoin|on|onRef|orderBy|groupBy|returning|column|columns|ref|max|min|sum|count|countAll|as|eb|coalesce)$/
const LOG_METHODS = /^(trace|debug|info|warn|error|fatal)$/

function textOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return String(node.value)
  if (node.type === 'TemplateLiteral') return node.quasis?.map((part) => part.value.raw).join('x')
  return undefined
}

function methodOf(call: Node): string | undefined {
  return call.callee?.type === 'MemberExpression' ? call.callee.property?.name : call.callee?.name
}

/** Returns the call that has this node as an argument, or as an element of a list that is one. */
function callAround(path: NodePath): { call: Node; position: number } | undefined {
  const parent = path.parentPath
  if (parent?.node.type === 'ArrayExpression') return callAround(parent)
  if (parent?.node.type !== 'CallExpression') return undefined
  return { call: parent.node, position: parent.node.arguments?.indexOf(path.node) ?? -1 }
}

function isLogging({ node }: NodePath): boolean {
  if (node.type !== 'CallExpression' || !LOG_METHODS.test(methodOf(node) ?? '')) return false
  const { object } = node.callee ?? {}
  return /log/i.test(object?.name ?? object?.property?.name ?? '')
}

function namesColumn(path: NodePath): boolean {
  const around = callAround(path)
  // Values are compared at the third position: where('state', '=', 'paid').
  return (
    around !== undefined && around.position < 2 && QUERY_METHODS.test(methodOf(around.call) ?? '')
  )
}

/** Skips what no test should be asked to notice: texts for people, log messages, and names of tables and columns. */
export const worthMutating = {
  shouldIgnore(path: object): string | undefined {
    const at = path as NodePath
    if (isLogging(at)) return 'a log message'
    if (at.parentPath?.node.type === 'TaggedTemplateExpression') return 'SQL'
    const text = textOf(at.node)
    if (text === undefined) return undefined
    if (/[a-z,.:] |^ /i.test(text)) return 'a text for people'
    return namesColumn(at) ? 'a name of a table or column' : undefined
  },
}
