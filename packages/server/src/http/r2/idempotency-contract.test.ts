import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useService } from '../../testing/use-service.ts'

describe('The contract', () => {
  const service = useService(databases[0])
  /** POST routes that change nothing. */
  const READS = ['/r2/access/check']

  it('has a key and a time for every write, and for nothing else', () => {
    const { paths } = service.app.swagger() as unknown as {
      paths: Record<string, Record<string, { parameters?: { name: string }[] }>>
    }
    const taking = (name: string) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([, { parameters = [] }]) => parameters.some((one) => one.name === name))
          .map(([method]) => `${method} ${path}`),
      )
    const posts = Object.keys(paths).filter((path) => paths[path]?.post && !READS.includes(path))
    const writes = posts.map((path) => `post ${path}`)
    expect(writes).toContain('post /r2/access/grant')
    for (const name of ['idempotency_key', 'ts']) expect(taking(name)).toEqual(writes)
  })
})
