import { createHash } from 'node:crypto'
import { newSecret } from '../../ids.ts'

/** A bearer token. Only its digest is stored. */
export interface NewToken {
  token: string
  digest: string
}

export const digestOf = (token: string) => createHash('sha256').update(token).digest('hex')

export function newToken(): NewToken {
  const token = newSecret()
  return { token, digest: digestOf(token) }
}
