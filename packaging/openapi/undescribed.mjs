// Lists the parameters of an OpenAPI document, and the fields of its requests and responses, that have no description.

/** A reference leads to a schema whose own fields are described; OpenAPI 3.0 allows no description beside it. */
const isDescribed = ({ description, $ref }) => Boolean(description) || $ref !== undefined

function* inSchema(schema, at) {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const place = `${at}.${name}`
    if (!isDescribed(field)) yield place
    yield* inSchema(field, place)
  }
  const { items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema
  for (const inner of [items, additionalProperties, ...anyOf, ...oneOf, ...allOf]) {
    if (typeof inner === 'object') yield* inSchema(inner, at)
  }
}

function* inContent({ content = {} }, at) {
  for (const { schema } of Object.values(content)) if (schema) yield* inSchema(schema, at)
}

function* inOperation({ parameters = [], requestBody = {}, responses = {} }, at) {
  for (const parameter of parameters) {
    if (!isDescribed(parameter)) yield `${at} ?${parameter.name}`
  }
  yield* inContent(requestBody, `${at} body`)
  for (const [status, response] of Object.entries(responses)) {
    yield* inContent(response, `${at} ${status}`)
  }
}

/** @returns {Generator<string>} */
export function* undescribedFields({ components = {}, paths }) {
  for (const [name, schema] of Object.entries(components.schemas ?? {})) {
    yield* inSchema(schema, name)
  }
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      yield* inOperation(operation, `${method.toUpperCase()} ${path}`)
    }
  }
}
