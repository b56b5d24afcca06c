import { ProviderError } from '../../provider-error.ts'
import { StripeRefusal } from '../errors.ts'
import type { Rehearsal, Step } from './step.ts'

/** Removes what the other steps have created. Charges, refunds and disputes can't be deleted at Stripe. */
export const cleanupStep: Step = { name: 'clean up', run: cleanUp }

async function cleanUp({ more, recorder }: Rehearsal): Promise<string> {
  // The first charge fills the balance that the others are refunded from.
  const charges = recorder.madeOf('payment_intent', 'succeeded').reverse()
  const jobs = [
    [recorder.madeOf('checkout.session', 'open'), more.expireSession, 'sessions expired'],
    [charges, more.refundRest, 'charges refunded'],
    [recorder.madeOf('customer'), more.deleteCustomer, 'customers deleted with their cards'],
  ] as const
  const done: string[] = []
  let left = 0
  for (const [ids, remove, what] of jobs) {
    const results = []
    for (const id of ids) results.push(await attempt(() => remove(id)))
    done.push(`${results.filter((one) => one === 'done').length} ${what}`)
    left += results.filter((one) => one === 'failed').length
  }
  const stays = `what stays are ${charges.length} charges, their refunds and disputes, and declined attempts`
  return `${done.join(', ')}; ${left === 0 ? '' : `${left} could not be cleaned up; `}${stays}`
}

/** `needless`: it is expired, refunded, disputed or deleted already. */
async function attempt(remove: () => Promise<unknown>): Promise<'done' | 'needless' | 'failed'> {
  try {
    await remove()
    return 'done'
  } catch (error) {
    if (error instanceof StripeRefusal) return 'needless'
    if (error instanceof ProviderError) return 'failed'
    throw error
  }
}
