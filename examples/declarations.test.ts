import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../packages/sdk/', import.meta.url))
const PREPARE = new URL('../scripts/prepare.mjs', import.meta.url).href

interface Manifest {
  exports: Record<string, string | { types: string; default: string }>
}
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
const entries = Object.entries(manifest.exports).flatMap(([name, target]) =>
  typeof target === 'string' ? [] : [{ name: `@gatehouse/sdk${name.slice(1)}`, ...target }],
)

/** Compiles a program against the built package, as strictly as can be; returns the errors. */
function errorsIn(code: string, options: ts.CompilerOptions): string[] {
  const path = fileURLToPath(new URL('program.ts', import.meta.url))
  const all: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: false, exactOptionalPropertyTypes: true },
    ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext },
    paths: Object.fromEntries(entries.map(({ name, types }) => [name, [join(folder, types)]])),
    ...options,
  }
  const host = ts.createCompilerHost(all)
  const { getSourceFile, fileExists } = host
  host.fileExists = (file) => file === path || fileExists(file)
  host.getSourceFile = (file, target, ...more) =>
    file === path ? ts.createSourceFile(file, code, target) : getSourceFile(file, target, ...more)
  const program = ts.createProgram([path], all, host)
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const where = file?.fileName.replace(folder, '') ?? ''
    return `${where}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}

const importAll = entries
  .map(({ name }, n) => `import * as m${n} from '${name}'; m${n};`)
  .join('\n')

describe('the declarations of the package', () => {
  beforeAll(async () => {
    const { prepare } = (await import(PREPARE)) as { prepare(): void }
    prepare()
  })

  it('compile without the types of DOM or Node', () => {
    expect(errorsIn(importAll, { lib: ['lib.es2022.d.ts'], types: [] })).toEqual([])
  })

  it('take the fetch and the URL of Node, where there are no types of DOM', () => {
    const code = `
      import { Gatehouse } from '@gatehouse/sdk'
      const keys = { baseUrl: '', aid: '', privateKey: '' }
      const own: typeof fetch = (input, init) => fetch(input, init)
      export const clients = [new Gatehouse({ ...keys, fetch }), new Gatehouse({ ...keys, fetch: own })]
      export const paid = clients[0]?.readReturn(new URL('https://x.example'))
      // @ts-expect-error A path is not a number.
      clients[0]?.readReturn(7)`
    expect(
      errorsIn(code, { lib: ['lib.es2022.d.ts'], types: ['node'], skipLibCheck: true }),
    ).toEqual([])
  })

  it('fit the handlers of each framework, which tell the types of requests', () => {
    const code = `
      import { Gatehouse, createGate } from '@gatehouse/sdk'
      import * as forExpress from '@gatehouse/sdk/express'
      import * as forFastify from '@gatehouse/sdk/fastify'
      import * as forHono from '@gatehouse/sdk/hono'
      import * as forNext from '@gatehouse/sdk/next'
      import * as forWorker from '@gatehouse/sdk/worker'
      import { fakeGatehouse } from '@gatehouse/sdk/testing'
      import express from 'express'
      import Fastify from 'fastify'
      import { Hono } from 'hono'
      import type { NextRequest } from 'next/server.js'

      const gatehouse: Gatehouse = fakeGatehouse()
      new Gatehouse({ baseUrl: '', aid: '', privateKey: '', fetch }).readReturn(new URL('https://x.example'))

      declare global { namespace Express { interface Request { user?: { id: string } } } }
      express().use(forExpress.gate({ gatehouse, userRef: (req) => req.ip, rid: 'news' }))
      express().get('/articles/:slug', forExpress.gate({
        gatehouse,
        userRef: (req) => req.user?.id,
        rid: (req) => \`article/\${req.params.slug}\`,
        denied: (decision, req, res) => res.status(402).json({ code: decision.code, path: req.path }),
      }), (req, res) => res.send(forExpress.decisionOf(req)?.code))

      Fastify().get<{ Params: { slug: string } }>('/articles/:slug', {
        preHandler: forFastify.gate({
          gatehouse,
          userRef: (request) => request.headers.cookie,
          rid: (request) => \`article/\${(request.params as { slug: string }).slug}\`,
          denied: (decision, _request, reply) => reply.redirect(decision.checkoutUrl ?? '/'),
        }),
      }, async () => 'text')

      new Hono().get('/articles/:slug', forHono.gate({
        gatehouse,
        userRef: (c) => c.req.header('x-reader'),
        rid: (c) => \`article/\${c.req.path}\`,
        denied: (_decision, _c, next) => next(),
      }), (c) => c.text('text'))

      export const GET = forNext.gate({
        gatehouse,
        userRef: (request) => request.cookies.get('reader')?.value,
        rid: async (_request, { params }) => (await params).slug,
      }, async (request: NextRequest, { params }: { params: Promise<{ slug: string }> }) =>
        new Response((await params).slug + request.nextUrl.pathname))

      export default {
        fetch: forWorker.gate({
          gatehouse,
          userRef: (request) => request.headers.get('x-reader'),
          rid: 'news',
          denied: ({ checkoutUrl }) => checkoutUrl ? Response.redirect(checkoutUrl, 303) : undefined,
        }, () => new Response('text')),
      } satisfies { fetch(request: Request): Promise<Response> }

      const decision = await createGate({ gatehouse }).decide({ userRef: undefined, rid: 'news' })
      if (decision.code === 'anonymous') console.log(decision.granted)
      // @ts-expect-error No such code.
      if (decision.code === 'none') console.log()
      // @ts-expect-error The resource is missing.
      forExpress.gate({ gatehouse, userRef: () => 'ann' })`
    const libs = ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts']
    expect(errorsIn(code, { lib: libs, types: ['node'], skipLibCheck: true })).toEqual([])
  })

  it('can be required from CommonJS, where it is one module', async () => {
    const code = entries.map(({ name }) => `require('${name}')`).join(';')
    const same = `if (require('@gatehouse/sdk').Gatehouse !== (await import('@gatehouse/sdk')).Gatehouse) throw new Error('two modules')`
    const run = promisify(execFile)
    const program = `${code}; (async () => { ${same} })().then(() => console.log('done'))`
    const { stdout, stderr } = await run(
      process.execPath,
      ['--input-type=commonjs', '--eval', program],
      { cwd: fileURLToPath(new URL('.', import.meta.url)) },
    )
    expect(stdout).toBe('done\n')
    expect(stderr).toBe('')
  })
})
