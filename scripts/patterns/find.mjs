// Finds the regular expressions in the sources of the packages: literals, those that are built from constant texts, and
// patterns in schemas.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Code that only tests run is left out. */
const IS_TEST = /\.test\.tsx?$|^packages\/server\/src\/testing\//

/** The sources of the packages, without tests. */
export function listSources() {
  const globs = ['ts', 'tsx', 'js', 'mjs'].map((type) => `packages/*/src/*.${type}`)
  const options = { cwd: root, encoding: 'utf8' }
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...globs], options)
  return listed.split('\n').filter((path) => path !== '' && !IS_TEST.test(path))
}

/** Finds all of them: `place` says where one is, `source` is missing where it depends on more than constants. */
export function findPatterns() {
  return listSources().flatMap((path) => {
    const text = readFileSync(`${root}/${path}`, 'utf8')
    return findIn(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  })
}

function findIn(file) {
  const constants = constantsOf(file)
  const found = []
  function visit(node) {
    const pattern = patternOf(node, constants)
    if (pattern) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart())
      found.push({ place: `${file.fileName}:${line + 1}`, path: file.fileName, ...pattern })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** The initial values of all constants of the file. */
function constantsOf(file) {
  const constants = new Map()
  function visit(node) {
    const isConstant = ts.isVariableDeclaration(node) && node.parent.flags & ts.NodeFlags.Const
    if (isConstant && ts.isIdentifier(node.name)) constants.set(node.name.text, node.initializer)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return constants
}

function patternOf(node, constants) {
  if (ts.isRegularExpressionLiteral(node)) {
    const [, source, flags] = /^\/(.*)\/(\w*)$/s.exec(node.text)
    return { source, flags }
  }
  if (isRegExpCall(node)) {
    const [source, flags] = node.arguments
    if (source && ts.isRegularExpressionLiteral(source)) return undefined
    return { source: textOf(source, constants), flags: flags ? textOf(flags, constants) : '' }
  }
  const isSchema = ts.isPropertyAssignment(node) && node.name.getText() === 'pattern'
  if (!isSchema || !isText(node.initializer)) return undefined
  return { source: textOf(node.initializer, constants), flags: '' }
}

const isRegExpCall = (node) =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'RegExp'

const isText = (node) =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  ts.isTaggedTemplateExpression(node)

/** The value of a constant expression, or undefined. */
function textOf(node, constants) {
  if (node === undefined) return undefined
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isIdentifier(node)) return textOf(constants.get(node.text), constants)
  if (ts.isTemplateExpression(node)) return joined(node, constants, ({ text }) => text)
  if (!ts.isTaggedTemplateExpression(node) || node.tag.getText() !== 'String.raw') return undefined
  const { template } = node
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.rawText
  return joined(template, constants, ({ rawText }) => rawText)
}

function joined({ head, templateSpans }, constants, read) {
  const parts = templateSpans.map(({ expression, literal }) => {
    const value = textOf(expression, constants)
    return value === undefined ? undefined : value + read(literal)
  })
  return parts.includes(undefined) ? undefined : read(head) + parts.join('')
}
