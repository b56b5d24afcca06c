import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../errors.ts'
import { whenOver } from '../connection.ts'

/** How many files are delivered at a time. Apart from other requests, since these take seconds to hours,
 * and those who come to be let in must not wait for them. */
export interface Slots {
  /** Takes one until the answer is over; throws if there is none. */
  take(request: FastifyRequest, reply: FastifyReply): void
  /** How many are taken. */
  taken(): number
}

export function createSlots(most: number): Slots {
  let taken = 0
  return {
    take(request, reply) {
      if (taken >= most) throw fail('overloaded')
      taken++
      whenOver(request, reply, () => taken--)
    },
    taken: () => taken,
  }
}
