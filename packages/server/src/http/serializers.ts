import build, { type Options, type Schema } from 'fast-json-stringify'

type Serialize = (value: unknown) => string

const compiled = new Map<string, Serialize>()

/** Compiles a schema when the first response needs it, for Fastify. Both environments use the same schemas and every route
 * has the error body: compiling all of them took most of the start-up time. */
export function buildSerializers(records: unknown): (route: { schema?: unknown }) => Serialize {
  const names = Object.keys(records as object)
  function compile(schema: unknown): Serialize {
    const key = JSON.stringify([schema, names])
    const known = compiled.get(key)
    if (known) return known
    const serialize = build(schema as Schema, { schema: records } as Options)
    compiled.set(key, serialize)
    return serialize
  }
  return ({ schema }) => {
    let serialize: Serialize | undefined
    return (value) => {
      serialize ??= compile(schema)
      return serialize(value)
    }
  }
}
