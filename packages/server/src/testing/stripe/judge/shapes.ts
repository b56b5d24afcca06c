/** What Stripe's library says about a value, in a form that can be stored as JSON and checked. */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'null'
  | 'anything'
  /** One of these values. Stripe may add further ones, but nothing here may invent any. */
  | { oneOf: readonly (string | number | boolean)[] }
  | { listOf: Shape }
  /** An object with any names, such as metadata. */
  | { mapOf: Shape }
  /** The name of an object in `StripeTypes.objects`. */
  | { object: string }
  | { anyOf: readonly Shape[] }

export interface Field {
  shape: Shape
  optional?: true
}

export type Fields = Readonly<Record<string, Field>>

export interface Route {
  params: Shape
  answer: Shape
}

/** The part of the types in the `stripe` package that requests, answers and events are judged by. */
export interface StripeTypes {
  /** The version of the package. */
  version: string
  /** The API version that the package is made for. */
  apiVersion: string
  /** For example `POST /v1/refunds/:id/cancel`. */
  routes: Readonly<Record<string, Route>>
  /** The shape of an event's `data.object`, by the type of the event. */
  events: Readonly<Record<string, Shape>>
  objects: Readonly<Record<string, Fields>>
}

/** The alternatives of a shape. */
export const alternativesOf = (shape: Shape): readonly Shape[] =>
  typeof shape === 'object' && 'anyOf' in shape ? shape.anyOf : [shape]

/** The names of the objects that a value of this shape may be, however deep in lists and maps. */
export function objectNamesIn(shape: Shape): string[] {
  return alternativesOf(shape).flatMap((one) => {
    if (typeof one === 'string' || 'oneOf' in one || 'anyOf' in one) return []
    if ('object' in one) return [one.object]
    return objectNamesIn('listOf' in one ? one.listOf : one.mapOf)
  })
}
