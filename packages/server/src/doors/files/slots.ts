import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { fail } from '../../errors.ts'
import { whenOver } from '../connection.ts'

/** How many files are delivered at a time. Apart from other requests, since these take seconds to hours,
 * and those who come to be let in must not wait for them. */
export interface Slots {
  /** Takes one until the answer is over; throws if there is none, or its address has enough of them. */
  take(request: FastifyRequest, reply: FastifyReply): void
  /** How many are taken. */
  taken(): number
}

type Limits = Pick<Config['limits'], 'downloads' | 'downloadsPerAddress'>

export function createSlots({ downloads, downloadsPerAddress }: Limits): Slots {
  const mostOfOne = downloadsPerAddress || downloads
  const ofAddress = new Map<string, number>()
  let taken = 0
  return {
    take(request, reply) {
      const { ip } = request
      const held = ofAddress.get(ip) ?? 0
      if (taken >= downloads || held >= mostOfOne) throw fail('overloaded')
      taken++
      ofAddress.set(ip, held + 1)
      whenOver(request, reply, () => {
        taken--
        const left = (ofAddress.get(ip) ?? 1) - 1
        if (left === 0) ofAddress.delete(ip)
        else ofAddress.set(ip, left)
      })
    },
    taken: () => taken,
  }
}
