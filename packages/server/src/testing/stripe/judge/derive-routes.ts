import ts from 'typescript'

/** A method of the library, for example `retrieve` of `RefundResource`, and the route that it calls. */
export interface LibraryMethod {
  owner: string
  method: string
  /** For example `GET /v1/refunds/:id`. */
  route: string
}

/** Reads from a file of the library which routes its methods call. */
export function findMethods(fileName: string, code: string): LibraryMethod[] {
  const found: LibraryMethod[] = []
  const source = ts.createSourceFile(fileName, code, ts.ScriptTarget.ES2022)
  for (const statement of source.statements) {
    if (!ts.isClassDeclaration(statement)) continue
    for (const member of statement.members) {
      if (!ts.isMethodDeclaration(member) || !ts.isIdentifier(member.name)) continue
      const owner = statement.name?.text ?? ''
      const method = member.name.text
      found.push(...routesIn(member).map((route) => ({ owner, method, route })))
    }
  }
  return found
}

function routesIn(node: ts.Node): string[] {
  const found: string[] = []
  const visit = (one: ts.Node): void => {
    if (ts.isCallExpression(one) && isRequest(one.expression)) {
      const [verb, path] = one.arguments
      if (verb && ts.isStringLiteral(verb) && path) found.push(`${verb.text} ${pathOf(path)}`)
      return
    }
    ts.forEachChild(one, visit)
  }
  visit(node)
  return found
}

const isRequest = (called: ts.Expression) =>
  ts.isPropertyAccessExpression(called) && called.name.text === '_makeRequest'

/** A path with `:id` in the place of what is inserted. */
function pathOf(path: ts.Expression): string {
  if (ts.isStringLiteralLike(path)) return path.text
  if (!ts.isTemplateExpression(path)) return ''
  return path.head.text + path.templateSpans.map(({ literal }) => `:id${literal.text}`).join('')
}
