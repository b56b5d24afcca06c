import build, { type Options, type Schema } from 'fast-json-stringify'

type Serialize = (value: unknown) => string

const compiled = new Map<string, Serialize>()

/** Compiles each schema once, for Fastify. Both environments use the same schemas and every route has the error body:
 * compiling them repeatedly took two thirds of the start-up time. */
export function buildSerializers(records: unknown): (route: { schema?: unknown }) => Serialize {
  const names = Object.keys(records as object)
  return ({ schema }) => {
    const key = JSON.stringify([schema, names])
    const known = compiled.get(key)
    if (known) return known
    const serialize = build(schema as Schema, { schema: records } as Options)
    compiled.set(key, serialize)
    return serialize
  }
}
