import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cli, inProcessCli, withInput } from '../../testing/cli.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { startFakeStripe } from '../../testing/stripe/fake-stripe.ts'
import { REFUSALS } from '../../testing/stripe/refusals.ts'
import { sandboxSettings } from '../../testing/stripe/stripe-shop.ts'
import { useFakeStripe, useService } from '../../testing/use-service.ts'

interface Checkup {
  ok: boolean
  checks: { check: string; status: string; message: string; todo?: string }[]
}

interface Rehearsal {
  ok: boolean
  steps: { name: string; status: string; message: string; answers: unknown[] }[]
}

const BASE = 'https://access.example.com'
const EVENTS = `${BASE}/sandbox/events/stripe`

describe.each(entryPointDatabases)('Stripe by command line on $name', (database) => {
  const fake = useFakeStripe()
  const service = useService(database, { useRealTime: true })
  let cli: Cli
  beforeAll(async () => {
    cli = line()
    fake.ledger.searchDelayMs = 0
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
      const names = steps.map(({ name }) => name)
      expect([...names.slice(0, 3), ...names.slice(-2)]).toEqual([
        ...['key', 'account', 'create a checkout session'],
        ...['webhook', 'clean up'],
      ])
      expect(names.length).toBeGreaterThan(50)
    })

    it('prints each answer below its step, and counts the steps', async () => {
      const { code, stdout } = await cli.run('payment', 'rehearse')
      expect(code).toBe(0)
      expect(stdout).toMatch(
        /^ok {7}charge pm_card_radarBlock: the payment fails: declined\n {11}POST \/v1\/payment_intents: 402 card_error, code card_declined, decline_code fraudulent, req_\w+$/m,
      )
      expect(stdout).toMatch(/^\d+ ok\n$/m)
    })

    it('writes a report that only its owner can read, never over another file', async () => {
      const path = join(service.installation.env.GATEHOUSE_DATA as string, 'rehearsal.md')
      expect((await cli.run('payment', 'rehearse', '--report', path)).code).toBe(0)
      const report = readFileSync(path, 'utf8')
      expect(report).toMatch(/^# Rehearsal with Stripe\n\nGatehouse \d.*, \d+ ok\n/)
      expect(report).not.toMatch(/sk_test|whsec|access\.example\.com|acct_/)
      expect(statSync(path).mode & 0o777).toBe(0o600)
      fake.calls.length = 0
      const again = await cli.run('payment', 'rehearse', '--report', path)
      expect([again.code, fake.calls]).toEqual([1, []])
      expect(again.stderr).toContain('already exists')
    })

    it('tries the permissions of a restricted key from standard input', async () => {
      const key = 'rk_test_restricted0123456789'
      fake.moreKeys = [key]
      const run = (input: string) =>
        withInput(input, () => cli.run('payment', 'rehearse', '--restricted-key'))
      const { code, stdout } = await run(`${key}\n`)
      expect(code).toBe(0)
      expect(stdout).toMatch(/^ok {7}restricted key: create a refund: allowed$/m)
      expect(stdout).not.toContain(key)
      const live = await run('rk_live_0123456789\n')
      expect(live.code).toBe(1)
      expect(live.stderr).toBe('gatehouse: the restricted key is no test key\n')
    })

    it('leaves nothing to be paid, and nothing that was not paid back', () => {
      const open = [...fake.ledger.sessions.values()].filter(({ status }) => status === 'open')
      expect(open).toEqual([])
      const kept = [...fake.ledger.charges.values()].filter((one) => one.paid && !one.refunded)
      expect(kept.filter(({ disputed }) => !disputed)).toEqual([])
    })

    it('says which step fails, and goes on', async () => {
      openEndpoint(['refund.created'])
      fake.fault = ({ route }) => (route === 'POST /v1/refunds' ? REFUSALS.silent : undefined)
      const { code, stdout } = await cli.run('payment', 'rehearse', '--json')
      fake.fault = () => undefined
      const { ok, steps } = JSON.parse(stdout) as Rehearsal
      expect([code, ok]).toEqual([1, false])
      const isSo = new Map(steps.map(({ name, status }) => [name, status]))
      for (const name of ['refund a part', 'refund the rest', 'webhook'])
        expect([name, isSo.get(name)]).toEqual([name, 'failed'])
      expect(isSo.get('charge a detached card')).toBe('ok')
      const webhook = steps.find(({ name }) => name === 'webhook')
      expect(webhook?.message).toContain('lacks the events checkout.session.completed')
    })

    it('says so where Stripe does something else than was asked', async () => {
      openEndpoint(['*'])
      let charges = 0
      fake.fault = ({ route }) => {
        if (route.endsWith('/expire')) return { rewrite: (it) => ({ ...it, status: 'open' }) }
        if (route === 'GET /v1/refunds')
          return { rewrite: (it) => ({ ...it, data: [], has_more: false }) }
        if (route !== 'POST /v1/payment_intents') return undefined
        charges++
        // The first fills the balance, and the second is the renewal: the third, under its key, is made again, and the
        // fourth of another amount too.
        if (charges < 3 || charges > 4) return undefined
        const [first] = [...fake.ledger.intents.values()].slice(-1)
        return { status: 200, rewrite: () => ({ ...first, id: `pi_again${charges}` }) }
      }
      const { stdout } = await cli.run('payment', 'rehearse', '--json')
      fake.fault = () => undefined
      const { steps } = JSON.parse(stdout) as Rehearsal
      const failed = steps.filter(({ status }) => status === 'failed')
      expect(failed.map(({ name, message }) => [name, message])).toEqual([
        ['expire the checkout session', 'the session is open'],
        ['expire the session that saves a card', 'the session is open'],
        ['repeat the charge under the same key', 'a second charge was made: pi_again3'],
        [
          'refuse another charge under the same key',
          "Stripe: a charge of another amount can't be read",
        ],
        ['list the refunds', '0 refunds are listed, and not 2'],
        ['list what is new', 'the lists lack a refund'],
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
