// Measures services beside each other: all of them in each round, so that a slow moment of the machine affects all.
import { roundsOf } from '../limits.mjs'
import { processorSeconds } from '../services.mjs'
import { send } from './load.mjs'

/** More requests than any service answers in one run. */
export const linesFor = (seconds) => Math.max(1_000, seconds * 60_000)

/** Requests for all rounds, and for the warm-up. */
export const linesForAll = ({ seconds, rounds }) => linesFor(seconds) * (rounds + 1)

/** Sends each service its own requests, new ones in each round. Returns answers per second, and µs of a processor for
 * each answer. */
export async function measureRounds({ services, settings, limit }) {
  const results = services.map(() => ({ perSecond: [], processor: [] }))
  const count = linesFor(settings.seconds)
  for (const { number, seconds, counts } of roundsOf(settings, limit)) {
    for (const [at, service] of services.entries()) {
      const before = processorSeconds(service.pid)
      const sent = await send({ ...service, first: number * count, count, seconds })
      if (!counts) continue
      results[at].perSecond.push(sent.perSecond)
      results[at].processor.push(((processorSeconds(service.pid) - before) / sent.answers) * 1e6)
    }
  }
  return results
}
