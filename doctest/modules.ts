import ts from 'typescript'
import { type Block, isRun } from './blocks.ts'

/** The TypeScript or JavaScript of a page as one module: each block sees the names of those before it, and may declare
 * them again. */
export interface PageModule {
  text: string
  /** For each line of the text, the line of the page that it comes from; 0 if none. */
  lines: number[]
}

const parse = (code: string) => ts.createSourceFile('block.ts', code, ts.ScriptTarget.Latest, true)
const isImport = (node: ts.Node): node is ts.ImportDeclaration => ts.isImportDeclaration(node)

/** Joins the blocks of one language: imports at the top, and each block in the scope of those before it. */
export function moduleOf(blocks: readonly Block[], language: string): PageModule {
  const own = blocks.filter((block) => block.language === language && isRun(block))
  const given = own.map(({ notes }) => notes.given ?? '')
  const imports = mergeImports([...given, ...own.map(({ code }) => code)])
  const head = [...imports, ...given.map(withoutImports)].join('\n')
  const text = [head]
  const lines = head.split('\n').map(() => 0)
  for (const { code, line } of own) {
    const body = withoutImports(code)
    text.push('{', body, '')
    lines.push(0, ...body.split('\n').map((_, n) => line + n), 0)
  }
  text.push('}'.repeat(own.length), 'export {}', '')
  return { text: text.join('\n'), lines }
}

/** Blanks the imports out, so that every other line stays where it is. */
function withoutImports(code: string): string {
  return parse(code)
    .statements.filter(isImport)
    .reduce((text, { pos, end }) => {
      const blank = text.slice(pos, end).replace(/[^\n]/g, '')
      return text.slice(0, pos) + blank.padEnd(end - pos) + text.slice(end)
    }, code)
}

/** Returns one import statement for each module: blocks may import the same name again. */
function mergeImports(codes: readonly string[]): string[] {
  const named = new Map<string, Set<string>>()
  const others = new Set<string>()
  for (const node of codes.flatMap((code) => parse(code).statements.filter(isImport))) {
    const bindings = node.importClause?.namedBindings
    if (bindings === undefined || !ts.isNamedImports(bindings)) {
      others.add(node.getText())
      continue
    }
    const module = node.moduleSpecifier.getText()
    const names = named.get(module) ?? new Set()
    const type = node.importClause?.isTypeOnly ? 'type ' : ''
    for (const one of bindings.elements) names.add(type + one.getText())
    named.set(module, names)
  }
  return [
    ...others,
    ...[...named].map(([module, names]) => `import { ${[...names].join(', ')} } from ${module}`),
  ]
}

/** Returns the names that a block declares or imports. */
export function namesIn(code: string): string[] {
  const names: string[] = []
  const add = (name: ts.BindingName): void => {
    if (ts.isIdentifier(name)) names.push(name.text)
    else for (const element of name.elements) if (ts.isBindingElement(element)) add(element.name)
  }
  for (const node of parse(code).statements) {
    if (ts.isVariableStatement(node))
      for (const one of node.declarationList.declarations) add(one.name)
    if (ts.isFunctionDeclaration(node) && node.name) names.push(node.name.text)
    const bindings = isImport(node) ? node.importClause?.namedBindings : undefined
    if (bindings && ts.isNamedImports(bindings))
      for (const one of bindings.elements) names.push(one.name.text)
  }
  return names
}
