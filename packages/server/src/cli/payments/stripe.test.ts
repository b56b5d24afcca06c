import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cli, inProcessCli } from '../../testing/cli.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { startFakeStripe } from '../../testing/stripe/fake-stripe.ts'
import { sandboxSettings } from '../../testing/stripe/stripe-shop.ts'
import { useFakeStripe, useService } from '../../testing/use-service.ts'

interface Checkup {
  ok: boolean
  checks: { check: string; status: string; message: string; todo?: string }[]
}

interface Rehearsal {
  ok: boolean
  steps: { name: string; status: string; message: string }[]
}

const BASE = 'https://access.example.com'
const EVENTS = `${BASE}/sandbox/events/stripe`

describe.each(entryPointDatabases)('Stripe by command line on $name', (database) => {
  const fake = useFakeStripe()
  const service = useService(database, { useRealTime: true })
  let cli: Cli
  beforeAll(async () => {
    cli = line()
  })
  afterAll(async () => {
    expect(cli.printed).not.toMatch(/sk_test|whsec/)
  })

  const line = (more: Record<string, string> = {}) =>
    inProcessCli({
      ...service.installation.env,
      ...sandboxSettings(fake),
      GATEHOUSE_BASE_URL: BASE,
      ...more,
    })

  describe('doctor', () => {
    const lookAtPayments = async (by: Cli) => {
      const { code, stdout } = await by.run('doctor', '--json')
      const { checks } = JSON.parse(stdout) as Checkup
      return { code, check: checks.find(({ check }) => check === 'payments sandbox') }
    }

    it('asks Stripe something that changes nothing', async () => {
      fake.calls.length = 0
      const { check } = await lookAtPayments(cli)
      expect(check).toMatchObject({ status: 'ok', message: 'stripe responds' })
      expect(fake.calls.map(({ route }) => route)).toEqual(['GET /v1/payment_intents'])
    })

    it('tells a wrong key from a Stripe that can’t be reached', async () => {
      const wrong = await lookAtPayments(
        line({ GATEHOUSE_SANDBOX_STRIPE_SECRET_KEY: 'sk_test_wrong0123456789' }),
      )
      expect(wrong.code).toBe(1)
      expect(wrong.check).toMatchObject({ status: 'failed' })
      expect(wrong.check?.message).toContain('GATEHOUSE_SANDBOX_STRIPE_SECRET_KEY is refused (401)')
      expect(wrong.check?.todo).toContain('new key')

      const gone = await startFakeStripe()
      await gone.stop()
      const nobody = await lookAtPayments(line({ GATEHOUSE_STRIPE_API: gone.url }))
      expect(nobody.check).toMatchObject({ status: 'failed' })
      expect(nobody.check?.message).toContain('the connection failed')
      expect(nobody.check?.todo).toContain('network')
    })

    it('waits some seconds for it and no longer', async () => {
      fake.fault = () => 'hang_before'
      const startedAt = performance.now()
      const { check } = await lookAtPayments(cli)
      fake.fault = () => undefined
      expect(performance.now() - startedAt).toBeLessThan(15_000)
      expect(check).toMatchObject({ status: 'failed' })
      expect(check?.message).toContain('no whole answer within 5000 ms')
    })
  })

  describe('a rehearsal', () => {
    const openEndpoint = (enabled_events: string[]) =>
      fake.ledger.endpoints.set('we_1', {
        object: 'webhook_endpoint',
        id: 'we_1',
        url: EVENTS,
        status: 'enabled',
        enabled_events,
        metadata: {},
      })

    it('plays the whole life of a sale, and reports each step', async () => {
      openEndpoint(['*'])
      const { ok, steps } = await cli.json<Rehearsal>('payment', 'rehearse')
      expect(steps.filter(({ status }) => status !== 'ok')).toEqual([])
      expect(ok).toBe(true)
      expect(steps.map(({ name }) => name)).toEqual([
        'key',
        'account',
        'create a checkout session',
        'expire the checkout session',
        'create a customer',
        'save a test card',
        'charge the card while nobody is there',
        'repeat the charge under the same key',
        'refuse another charge under the same key',
        'find the charge by its metadata',
        'refund a part',
        'refund the rest',
        'list the refunds',
        'webhook',
      ])
      expect((await cli.run('payment', 'rehearse')).stdout).toMatch(/^ok +refund the rest: re_/m)
    })

    it('leaves nothing to be paid, and nothing that was not paid back', () => {
      const open = [...fake.ledger.sessions.values()].filter(({ status }) => status === 'open')
      expect(open).toEqual([])
      const kept = [...fake.ledger.charges.values()].filter((one) => one.paid && !one.refunded)
      expect(kept).toEqual([])
    })

    it('says which step fails, and goes on', async () => {
      openEndpoint(['refund.created'])
      fake.fault = ({ route }) =>
        route === 'POST /v1/refunds' ? { status: 400, rewrite: () => REFUSED } : undefined
      const { code, stdout } = await cli.run('payment', 'rehearse', '--json')
      fake.fault = () => undefined
      const { ok, steps } = JSON.parse(stdout) as Rehearsal
      expect([code, ok]).toEqual([1, false])
      const failed = steps.filter(({ status }) => status === 'failed')
      expect(failed.map(({ name }) => name)).toEqual([
        ...['refund a part', 'refund the rest', 'webhook'],
      ])
      expect(failed.at(-1)?.message).toContain('lacks the events checkout.session.completed')
    })

    it('says so where Stripe does something else than was asked', async () => {
      openEndpoint(['*'])
      let charges = 0
      fake.fault = ({ route }) => {
        if (route.endsWith('/expire')) return { rewrite: (it) => ({ ...it, status: 'open' }) }
        if (route === 'GET /v1/refunds') return { rewrite: (it) => ({ ...it, data: [] }) }
        if (route !== 'POST /v1/payment_intents') return undefined
        charges++
        if (charges === 1) return undefined
        // The second charge under a key is made, and the third of another amount too.
        const [first] = [...fake.ledger.intents.values()].slice(-1)
        return { status: 200, rewrite: () => ({ ...first, id: `pi_again${charges}` }) }
      }
      const { stdout } = await cli.run('payment', 'rehearse', '--json')
      fake.fault = () => undefined
      const { steps } = JSON.parse(stdout) as Rehearsal
      const failed = steps.filter(({ status }) => status === 'failed')
      expect(failed.map(({ name, message }) => [name, message])).toEqual([
        ['expire the checkout session', 'the session is open'],
        ['repeat the charge under the same key', 'a second charge was made: pi_again2'],
        [
          'refuse another charge under the same key',
          'a charge of another amount was made: pi_again3',
        ],
        ['list the refunds', '0 refunds are listed, and not 2'],
      ])
    })

    it('leaves open what a restricted key may not ask for', async () => {
      fake.fault = ({ route }) =>
        route === 'GET /v1/account' ? { status: 403, rewrite: () => REFUSED } : undefined
      const { steps } = JSON.parse((await cli.run('payment', 'rehearse', '--json')).stdout)
      fake.fault = () => undefined
      expect(steps[1]).toMatchObject({ name: 'account', status: 'unknown' })
    })

    it('needs test keys', async () => {
      const none = await inProcessCli(service.installation.env).run('payment', 'rehearse')
      expect(none.code).toBe(1)
      expect(none.stderr).toContain('GATEHOUSE_SANDBOX_STRIPE_SECRET_KEY')
      const live = line({ GATEHOUSE_SANDBOX_STRIPE_SECRET_KEY: 'sk_live_0123456789' })
      const refused = await live.run('payment', 'rehearse')
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain('GATEHOUSE_SANDBOX_STRIPE_SECRET_KEY')
      expect(refused.stderr).not.toContain('sk_live')
    })
  })

  it('has no books to compare where there is no provider', async () => {
    const { code, stderr } = await cli.run('payment', 'reconcile')
    expect(code).toBe(1)
    expect(stderr).toContain('production has no payment provider to compare with')
  })

  it('says in a line that the provider does not answer', async () => {
    fake.fault = () => 'error_before'
    const { code, stderr } = await cli.run('payment', 'reconcile', '--env', 'sandbox')
    fake.fault = () => undefined
    expect(code).toBe(1)
    expect(stderr).toMatch(/^gatehouse: Stripe: 503/)
  })
})

const REFUSED = { error: { type: 'invalid_request_error', code: 'not_today', message: 'No.' } }
