import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { undescribedFields } from '../../../../../../packaging/openapi/undescribed.mjs'
import { OPERATIONS } from '../../../records/management/operations.ts'
import derived from '../../../records/management/responses.json' with { type: 'json' }
import { routes } from '../routes.ts'
import { managementDocument } from './document.ts'

interface Operation {
  operationId: string
  tags: string[]
  parameters: { name: string; in: string }[]
  responses: Record<string, { content?: object }>
}
const { paths, components, tags } = managementDocument('') as {
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
}
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

describe('the document of the management API', () => {
  it('describes every route that programs have, and no other', () => {
    const offered = routes.flatMap(({ management }) => management ?? [])
    expect(Object.keys(OPERATIONS).sort()).toEqual([...offered].sort())
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(offered.length)
    expect(ids).not.toContain('')
  })

  it('describes the tag of every operation, and no other', () => {
    const used = operations.flatMap(({ operation }) => operation.tags)
    expect(tags.map(({ name }) => name)).toEqual([...new Set(used)].sort())
  })

  it('describes every response', () => {
    for (const { path, method, operation } of operations) {
      expect([path, method, operation.responses[200]?.content]).not.toContain(undefined)
    }
  })

  it('describes every field, as the document of the access API does', () => {
    const access = JSON.parse(
      readFileSync(new URL('../../../../../../openapi.json', import.meta.url), 'utf8'),
    )
    expect([...undescribedFields(managementDocument(''))]).toEqual([])
    expect([...undescribedFields(access)]).toEqual([])
    const bare = { type: 'object', properties: { id: { type: 'string' } } }
    const operation = {
      parameters: [{ name: 'page', in: 'query' }],
      responses: { 200: { content: { 'application/json': { schema: bare } } } },
    }
    expect([...undescribedFields({ paths: { '/x': { get: operation } } })]).toEqual([
      'GET /x ?page',
      'GET /x 200.id',
    ])
  })

  it('refers only to what it contains, and declares what its paths name', () => {
    const names = [...JSON.stringify({ paths, derived }).matchAll(/schemas\/(\w+)"/g)]
    expect(names.length).toBeGreaterThan(50)
    expect(names.filter(([, name]) => !((name ?? '') in components.schemas))).toEqual([])
    for (const { path, operation } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = operation.parameters.filter((one) => one.in === 'path')
      expect(declared.map(({ name }) => name)).toEqual(named)
    }
  })
})
