import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { findMethods, type LibraryMethod } from './derive-routes.ts'
import { createShapes } from './derive-shapes.ts'
import type { Route, Shape, StripeTypes } from './shapes.ts'

const OPTIONS: ts.CompilerOptions = {
  noEmit: true,
  types: [],
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
}

/** Derives from the `stripe` package in a folder what each route takes and answers. */
export function deriveStripeTypes(folder: string): StripeTypes {
  const esm = join(folder, 'esm')
  const program = ts.createProgram([join(esm, 'stripe.esm.node.d.ts')], OPTIONS)
  const checker = program.getTypeChecker()
  const shapes = createShapes(checker)
  const exportsOf = (file: string) => {
    const source = program.getSourceFile(join(esm, file))
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`stripe: no module ${file}`)
    return new Map(checker.getExportsOfModule(module).map((one) => [one.name, one]))
  }
  const routes: Record<string, Route> = {}
  for (const file of resourceFiles(esm)) {
    const exported = exportsOf(`${file}.d.ts`)
    for (const one of findMethods(file, readFileSync(join(esm, `${file}.js`), 'utf8'))) {
      const owner = exported.get(one.owner)
      if (owner) routes[one.route] = routeOf(owner, one)
    }
  }

  function routeOf(owner: ts.Symbol, { method }: LibraryMethod): Route {
    const declared = checker.getDeclaredTypeOfSymbol(owner).getProperty(method)
    const signature = declared && checker.getTypeOfSymbol(declared).getCallSignatures().at(-1)
    if (!signature) throw new Error(`stripe: no type of ${owner.name}.${method}`)
    const params = signature.parameters.find(({ name }) => name === 'params')
    return {
      params: params ? shapes.shapeOf(checker.getTypeOfSymbol(params)) : { anyOf: [] },
      answer: answerOf(signature.getReturnType()),
    }
  }

  /** The answer itself, without what the library adds to it. */
  function answerOf(promise: ts.Type): Shape {
    const awaited = checker.getAwaitedType(promise) ?? promise
    return shapes.shapeOf(awaited.aliasTypeArguments?.[0] ?? awaited)
  }

  function eventShapes(): Record<string, Shape> {
    const event = exportsOf('resources/Events.d.ts').get('Event')
    const all = event && checker.getDeclaredTypeOfSymbol(event)
    if (!all?.isUnion()) throw new Error('stripe: no union of events')
    return Object.fromEntries(
      all.types.map((one) => {
        const type = typeAt(one, 'type')
        if (!type.isStringLiteral()) throw new Error('stripe: an event without a type')
        return [type.value, shapes.shapeOf(typeAt(typeAt(one, 'data'), 'object'))]
      }),
    )
  }

  function typeAt(type: ts.Type, name: string): ts.Type {
    const property = type.getProperty(name)
    if (!property) throw new Error(`stripe: no ${name} in ${checker.typeToString(type)}`)
    return checker.getTypeOfSymbol(property)
  }

  return {
    version: (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string })
      .version,
    apiVersion: apiVersionIn(exportsOf('apiVersion.d.ts'), checker),
    routes,
    events: eventShapes(),
    objects: shapes.collectObjects(),
  }
}

function apiVersionIn(exported: Map<string, ts.Symbol>, checker: ts.TypeChecker): string {
  const version = exported.get('ApiVersion')
  const type = version && checker.getTypeOfSymbol(version)
  if (!type?.isStringLiteral()) throw new Error('stripe: no version of the API')
  return type.value
}

/** The files of the first version of the API, which is the one that we use. */
const resourceFiles = (esm: string): string[] =>
  readdirSync(join(esm, 'resources'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js') && !file.startsWith('V2'))
    .map((file) => `resources/${file.slice(0, -3)}`)
