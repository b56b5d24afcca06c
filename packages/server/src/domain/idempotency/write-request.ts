import { createHash } from 'node:crypto'

/** A request that changes something, with the digests by which a repetition of it is recognized. */
export interface WriteRequest {
  aid: string
  /** Identifies the idempotency key; undefined if the client sent none. */
  key: string | undefined
  /** The content of the request. Two requests with the same key must have the same content. */
  content: string
  /** Identifies the signature, if the application wants every request to take effect at most once. */
  signature: string | undefined
}

/** Where an idempotency key is valid: the same key elsewhere is another key. */
export interface KeyScope {
  /** The owner of the key: the id of a token, or empty for the application itself. */
  owner: string
  /** The method and the path's pattern. */
  route: string
}

interface WriteInput extends KeyScope {
  aid: string
  idempotencyKey: string | undefined
  /** All parameters, without those that may differ when the request is sent again. */
  parameters: Iterable<readonly [name: string, value: unknown]>
  signature?: string | undefined
}

export function describeWrite(input: WriteInput): WriteRequest {
  const { aid, owner, route, idempotencyKey: key, signature } = input
  const parameters = [...input.parameters].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    aid,
    key: key === undefined ? undefined : digestOf(['key', owner, route, key]),
    content: digestOf(parameters),
    signature: signature === undefined ? undefined : digestOf(['signature', signature]),
  }
}

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url')
