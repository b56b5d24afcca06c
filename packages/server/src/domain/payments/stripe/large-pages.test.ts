import { describe, expect, it } from 'vitest'
import { troubleOf, useStripeProvider } from '../../../testing/stripe/stripe-provider.ts'

const DISPUTES = 'GET /v1/disputes'
/** Stripe counts up to 150,000 characters, of which each may take 4 bytes. */
const LONGEST = '🧾'.repeat(150_000)
const MANY = 12

const { fake, stripe, charged, failWith, callsTo } = useStripeProvider()
const limits = () => callsTo(DISPUTES).map(({ text }) => new URLSearchParams(text).get('limit'))
async function listDisputes(): Promise<string[]> {
  const all: string[] = []
  for await (const ref of stripe.ledger?.disputes(0) ?? []) all.push(ref)
  return all
}

describe('a page that is larger than what is read', () => {
  it('is read in smaller ones: of disputes with much evidence none is left out', async () => {
    const disputed: string[] = []
    for (let i = 0; i < MANY; i++) {
      const { ref } = await charged()
      const dispute = fake.ledger.disputes.get(fake.openDispute(ref))
      if (dispute) dispute.evidence = { uncategorized_text: LONGEST }
      disputed.unshift(ref)
    }
    expect(await listDisputes()).toEqual(disputed)
    expect(limits()).toEqual(['100', '10', ...Array<string>(MANY).fill('1')])
  })

  it('ends the list if one item alone is too large', async () => {
    failWith('huge', DISPUTES)
    expect((await troubleOf(listDisputes())).message).toContain('larger than 4194304 bytes')
    expect(limits()).toEqual(['100', '10', '1'])
  })
})
