import { createHash } from 'node:crypto'
import { newSecret } from '../ids.ts'

/** Something that opens a door for whoever has it. We keep what tells it again, and not itself. */
export interface NewToken {
  token: string
  digest: string
}

export const digestOf = (token: string) => createHash('sha256').update(token).digest('hex')

export function newToken(): NewToken {
  const token = newSecret()
  return { token, digest: digestOf(token) }
}
