import { findPayment } from '../charges.ts'
import { isUnavailable } from '../errors.ts'
import { METADATA_KEYS } from '../metadata.ts'
import { failed, type Rehearsal, requireResult, type Step, waitFor } from './step.ts'

/** Upper limit for the difference between the clocks. */
const CLOCK_SKEW_S = 300

export const listSteps: readonly Step[] = [
  {
    name: 'read the charge',
    expected: { outcome: 'succeeded' },
    run: async (rehearsal) => {
      const ref = requireResult(rehearsal, 'charge')
      const query = { ref, paymentId: undefined, method: undefined }
      const found = await findPayment(rehearsal.api, query)
      return found?.status ?? 'there is no such charge'
    },
  },
  {
    name: 'list what is new',
    run: async (rehearsal) => {
      const { api, run, sale } = rehearsal
      const since = Math.floor(Date.now() / 1000) - CLOCK_SKEW_S
      const charge = requireResult(rehearsal, 'charge')
      const missing = [
        ...(await lacks(api.intentsSince(since), ({ id }) => id === charge, 'the charge')),
        ...(await lacks(
          api.refundsSince(since),
          (one) => one.payment_intent === charge,
          'a refund',
        )),
        ...(await lacks(
          api.sessionsFor(`${run}-setup`, since),
          ({ id }) => id === sale.setupPage,
          'a session',
        )),
      ]
      if (missing.length > 0) throw failed(`the lists lack ${missing.join(', ')}`)
      return 'charges, refunds and sessions are listed'
    },
  },
  {
    name: 'list the disputes',
    run: async (rehearsal) => {
      const disputes = rehearsal.api.disputesOf(requireResult(rehearsal, 'disputed'))
      for await (const { id } of disputes) return `${id} is listed`
      throw failed('the dispute is not listed')
    },
  },
  {
    name: 'look for the session of the charge',
    run: async (rehearsal) => {
      for await (const one of rehearsal.api.sessionsOf(requireResult(rehearsal, 'charge'))) {
        throw failed(`there is one: ${one.id}`)
      }
      return 'there is none'
    },
  },
  { name: 'search for the charge', run: search },
]

async function lacks<T>(
  items: AsyncIterable<T>,
  isWanted: (item: T) => boolean,
  name: string,
): Promise<string[]> {
  for await (const one of items) if (isWanted(one)) return []
  return [name]
}

/** Stripe's search lags behind its lists, and some countries have none, which is no failure. */
async function search(rehearsal: Rehearsal): Promise<string> {
  const { api, run } = rehearsal
  const charge = requireResult(rehearsal, 'charge')
  const query = `metadata['${METADATA_KEYS.installation}']:'${run}'`
  try {
    const { found, seconds } = await waitFor(rehearsal, async () =>
      (await api.searchIntents(query)).find(({ id }) => id === charge),
    )
    return found ? `found after ${seconds} s` : `not yet found after ${seconds} s`
  } catch (error) {
    if (isUnavailable(error)) return 'Stripe offers no search here'
    throw error
  }
}
