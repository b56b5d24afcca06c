import build, { type Options, type Schema } from 'fast-json-stringify'

type Serialize = (value: unknown) => string

const compiled = new Map<string, Serialize>()

/** For Fastify: compiles a schema once. Both environments answer with the same ones, and the body of an error is
 * in every route: two thirds of the time of a start went into compiling them again and again. */
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
