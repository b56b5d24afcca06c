import { describe, expect, it } from 'vitest'
import type { Overview } from '../../http/dashboard/overview/schemas.ts'
import { signInAs } from '../../testing/dashboard-api.ts'
import { databases } from '../../testing/databases.ts'
import { useBooks } from '../../testing/stripe/books.ts'
import { HOUR } from '../../testing/time.ts'
import { checkPayments } from './payments.ts'

describe.each(databases)('what is seen of the calls to Stripe on $name', (database) => {
  const { service, app, env, buy, deliver } = useBooks(database)

  async function setReads(reads: number): Promise<void> {
    const day = Math.floor(service.clock.now / 86_400_000)
    await env().database.write(async (trx) => {
      await trx.deleteFrom('provider_calls').execute()
      await trx.insertInto('provider_calls').values({ day, reads, writes: 7 }).execute()
    })
  }
  const findings = async () =>
    (await checkPayments(env())).map(({ status, message }) => [status, message])
  const overview = async () => {
    const staff = (await signInAs(service, 'reader')).of(app)
    return (await staff.request<Overview>('GET', '/overview')).body.reads
  }
  const metric = async (kind: string) => {
    const text = await (await fetch(`${service.url}/metrics`)).text()
    return new RegExp(
      `^gatehouse_provider_reads{environment="sandbox",kind="${kind}"} (.+)$`,
      'm',
    ).exec(text)?.[1]
  }

  it('is the number of reads beside the allowance', async () => {
    await setReads(1_204)
    expect(await findings()).toContainEqual(['ok', 'stripe: 1,204 of 10,000 reads in 30 days'])
    expect(await overview()).toEqual({ reads: 1_204, allowed: 10_000, isHigh: false })
    expect([await metric('made'), await metric('allowed')]).toEqual(['1204', '10000'])
  })

  it('is a warning when little is left', async () => {
    await setReads(8_000)
    expect(await findings()).toContainEqual(['warning', 'stripe: 8,000 of 10,000 reads in 30 days'])
    expect(await overview()).toMatchObject({ isHigh: true })
  })

  it('is that events are missing, until one comes', async () => {
    const missing = expect.stringContaining("the provider's events don't arrive: none has come")
    await buy('ann')
    expect(await findings()).not.toContainEqual(['warning', missing])
    service.clock.advance(HOUR)
    expect(await findings()).toContainEqual(['warning', missing])
    await deliver()
    expect(await findings()).not.toContainEqual(['warning', missing])
    service.clock.advance(HOUR)
    await buy('bob')
    service.clock.advance(HOUR)
    const late = expect.stringMatching(/the last one came at .+, and one has been missing since /)
    expect(await findings()).toContainEqual(['warning', late])
  })
})
