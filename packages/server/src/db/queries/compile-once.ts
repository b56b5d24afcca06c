import type { Compilable, CompiledQuery, Kysely } from 'kysely'

/** Stands for a parameter while its query is compiled. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * Returns a function that runs a query which is built and compiled once for each connection, and not for each
 * execution: for the queries of the most frequent requests, building and compiling takes longer than running them.
 *
 * `build` writes the query as usual, with `p` for the parameters. It runs once, so it must not look at their values, and
 * a parameter can't be a list.
 */
export function compileOnce<T, P extends object, Row>(
  build: (db: Kysely<T>, p: P) => Compilable<Row>,
): (db: Kysely<T>, parameters: P) => Promise<Row[]> {
  const p = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as P
  /** By the dialect's adapter, which a connection for reading and its transactions have in common. */
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return async (db, parameters) => {
    const { adapter } = db.getExecutor()
    let query = compiled.get(adapter)
    if (!query) {
      query = build(db, p).compile()
      compiled.set(adapter, query)
    }
    const values = query.parameters.map((value) =>
      value instanceof Placeholder ? parameters[value.name as keyof P] : value,
    )
    return (await db.executeQuery<Row>({ ...query, parameters: values })).rows
  }
}
