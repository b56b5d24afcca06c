import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { fail } from '../../errors.ts'
import { onResponseEnd } from '../connection.ts'

/** Limits concurrent downloads. They are counted apart from other requests: downloads take seconds to hours, and
 * access checks must not wait for them. */
export interface Slots {
  /** Takes a slot until the response is over; throws if none is free or the client's address has its maximum. */
  take(request: FastifyRequest, reply: FastifyReply): void
  /** Number of slots in use. */
  taken(): number
}

type Limits = Pick<Config['limits'], 'downloads' | 'downloadsPerAddress'>

export function createSlots({ downloads, downloadsPerAddress }: Limits): Slots {
  const maxPerAddress = downloadsPerAddress || downloads
  const takenByAddress = new Map<string, number>()
  let taken = 0
  return {
    take(request, reply) {
      const { ip } = request
      const held = takenByAddress.get(ip) ?? 0
      if (taken >= downloads || held >= maxPerAddress) throw fail('overloaded')
      taken++
      takenByAddress.set(ip, held + 1)
      onResponseEnd(request, reply, () => {
        taken--
        const left = (takenByAddress.get(ip) ?? 1) - 1
        if (left === 0) takenByAddress.delete(ip)
        else takenByAddress.set(ip, left)
      })
    },
    taken: () => taken,
  }
}
