import { join } from 'node:path'
import ts from 'typescript'
import { type Block, root } from './blocks.ts'
import { moduleOf, type PageModule } from './modules.ts'

/** TypeScript is checked as strictly as our own; JavaScript, without annotations, can't be. */
const STRICTNESS: Record<string, ts.CompilerOptions> = {
  ts: { strict: true },
  js: { strict: false, exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: false },
}

function readOptions(): ts.CompilerOptions {
  const path = join(root, 'tsconfig.json')
  const { config } = ts.readConfigFile(path, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const { tsBuildInfoFile: _, ...rest } = options
  return { ...rest, incremental: false }
}

/** Type-checks the blocks of all pages; returns the errors, each with its place on the page. */
export function typeErrors(pages: ReadonlyMap<string, readonly Block[]>): string[] {
  const options = readOptions()
  const known = new Map<string, ts.SourceFile | undefined>()
  return Object.entries(STRICTNESS).flatMap(([language, strictness]) => {
    const modules = new Map<string, PageModule & { page: string }>()
    for (const [page, blocks] of pages) {
      const path = join(root, `${page.replaceAll('/', '+')}.${language}.ts`)
      if (blocks.some((block) => block.language === language))
        modules.set(path, { ...moduleOf(blocks, language), page })
    }
    return errorsIn(modules, { ...options, ...strictness }, known)
  })
}

function errorsIn(
  modules: ReadonlyMap<string, PageModule & { page: string }>,
  options: ts.CompilerOptions,
  known: Map<string, ts.SourceFile | undefined>,
): string[] {
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (path) => modules.has(path) || fileExists(path)
  host.getSourceFile = (path, target, ...more) => {
    const text = modules.get(path)?.text
    if (text !== undefined) return ts.createSourceFile(path, text, target)
    if (!known.has(path)) known.set(path, getSourceFile(path, target, ...more))
    return known.get(path)
  }
  const program = ts.createProgram([...modules.keys()], options, host)
  return [...modules].flatMap(([path, { page, lines }]) => {
    const file = program.getSourceFile(path) as ts.SourceFile
    const found = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]
    return found.map(({ start = 0, messageText }) => {
      const { line } = file.getLineAndCharacterOfPosition(start)
      return `${page}:${lines[line] ?? 0}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
  })
}
