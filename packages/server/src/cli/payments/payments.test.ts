import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestRefund } from '../../domain/payments/refunds/orders.ts'
import { formatTime } from '../../format-time.ts'
import { type Cli, inProcessCli } from '../../testing/cli.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { type CardName, MONTHLY, openShop, type Shop } from '../../testing/payments/shop.ts'
import { listOutbox } from '../../testing/smtp/outbox.ts'
import { DAY } from '../../testing/time.ts'
import { useService } from '../../testing/use-service.ts'

interface Payment {
  id: string
  status: string
  refunds: { amount: number; status: string }[]
}

describe.each(entryPointDatabases)('money by command line on $name', (database) => {
  const service = useService(database, { useRealTime: true })
  let shop: Shop
  let cli: Cli
  beforeAll(async () => {
    cli = inProcessCli({
      ...service.installation.env,
      GATEHOUSE_BASE_URL: 'https://access.example.com',
    })
    shop = await openShop(service)
    for (const rid of ['article', 'pass', 'été/1']) await shop.addResource(rid)
  })
  afterAll(async () => {
    expect(cli.printed).not.toContain(shop.privateKey)
    await service.ctx.environments.sandbox.refreshClock()
  })

  const aid = () => ['--aid', shop.aid]
  const named = (userRef: string, rid = 'pass') => [
    ...[...aid(), '--rid', rid, '--user-ref', userRef],
  ]
  const subscribe = (userRef: string, card: CardName = 'good') =>
    shop.buy({ rid: 'pass', userRef, terms: MONTHLY, card })
  const hasAccess = (user_ref: string, rid = 'pass') => shop.client.hasAccess({ rid, user_ref })
  const paymentOf = async (userRef: string, rid = 'article') => {
    const [payment] = await cli.json<Payment[]>('payment', 'list', ...named(userRef, rid))
    return payment as Payment
  }

  describe('prices', () => {
    const create = (...args: string[]) => cli.json('price', 'create', ...aid(), ...args)

    it('recur, last for a while or for good, and name the page where they are paid', async () => {
      await cli.json('app', 'set', shop.aid, '--currency', 'JPY')
      const once = await create('--rid', 'été/1', '--amount', '500')
      expect(once).toMatchObject({
        terms: '500 JPY for lifetime access',
        amount: 500,
        recurring: false,
      })
      expect(once).not.toHaveProperty('period')
      expect(once.checkout).toBe(
        `https://access.example.com/sandbox/checkout/${shop.aid}/%C3%A9t%C3%A9%2F1`,
      )
      const eur = ['--rid', 'article', '--currency', 'eur']
      const month = await create(
        ...[...eur, '--amount', '4.99', '--every', '1 months', '--trial-days', '14'],
      )
      expect(month).toMatchObject({ recurring: true, period: '1 month', trial_days: 14 })
      const days = await create(...eur, '--amount', '2', '--for', '30 days')
      expect(days).toMatchObject({
        recurring: false,
        period: '30 days',
        terms: '2.00 EUR for 30 days',
      })
    })

    it('are listed by resource, and sold no more once archived', async () => {
      const list = (...args: string[]) =>
        cli.json<{ id: string; archived?: number }[]>('price', 'list', ...aid(), ...args)
      const { id } = await create('--rid', 'pass', '--amount', '3', '--currency', 'EUR')
      expect((await list('--rid', 'pass')).map((one) => one.id)).toEqual([id])
      expect((await list()).length).toBeGreaterThan(1)
      await cli.json('price', 'archive', id as string, ...aid())
      expect(await list('--rid', 'pass')).toMatchObject([{ id, archived: expect.any(Number) }])
      expect(await cli.json('price', 'restore', id as string, ...aid())).toMatchObject({ id })
      expect((await list('--rid', 'pass'))[0]?.archived).toBeUndefined()
      await cli.json('price', 'archive', id as string, ...aid())
      const page = await fetch(`${shop.baseUrl}/checkout/${shop.aid}/pass`)
      expect(page.status).toBe(404)
    })

    it("are refused where they can't be, in words that say why", async () => {
      const create = async (...args: string[]) =>
        (await cli.run('price', 'create', ...aid(), ...args)).stderr
      const eur = ['--rid', 'article', '--currency', 'EUR', '--amount']
      expect(await create(...eur, '4.999')).toContain('at most 2 decimals')
      expect(await create(...eur, '0')).toContain('must be more than 0')
      expect(await create(...eur, '4,99')).toContain('like 4.99')
      expect(await create(...eur, '5000000')).toContain('at most 999999.99 EUR')
      expect(await create('--rid', 'article', '--currency', 'JPY', '--amount', '4.99')).toContain(
        'not a valid JPY amount; write it like 499',
      )
      expect(await create(...eur, '1', '--every', 'fortnight')).toContain('such as "1 month"')
      expect(await create(...eur, '1', '--trial-days', '3')).toContain(
        'only a subscription can have a free trial',
      )
      expect(await create(...eur, '1', '--every', '1 day', '--for', '1 day')).toContain('--for')
      expect(await create('--rid', 'no-such', '--amount', '1')).toContain('No such resource')
      const other = await service.newApplication('sandbox')
      const { id } = await cli.json<{ id: string }>(
        ...['price', 'create', ...aid(), '--rid', 'article', '--amount', '1', '--currency', 'EUR'],
      )
      const foreign = await cli.run('price', 'archive', id, '--aid', other.aid)
      expect(foreign).toMatchObject({ code: 1, stderr: 'gatehouse: No such price.\n' })
    })
  })

  describe('subscriptions', () => {
    it('are canceled and resumed by id or by name, and show how they came and went', async () => {
      await subscribe('ann')
      const [row] = await cli.json<{ id: string }[]>('subscription', 'list', ...named('ann'))
      const id = row?.id as string
      const canceled = await cli.json('subscription', 'cancel', ...named('ann'))
      expect(canceled).toMatchObject({ id, status: 'canceled', next_step: 'end' })
      expect(await hasAccess('ann')).toBe(true)
      const list = (status: string) =>
        cli.json<{ id: string }[]>(...['subscription', 'list', ...aid(), '--status', status])
      expect((await list('canceled')).map((one) => one.id)).toEqual([id])
      expect(await list('past_due')).toEqual([])
      expect(await cli.json('subscription', 'resume', id)).toMatchObject({ id, status: 'active' })
      const shown = await cli.json<{ history: { action: string; actor: string }[] }>(
        ...['subscription', 'show', id],
      )
      expect(shown).toMatchObject({
        user_ref: 'ann',
        amount: 4.99,
        has_card: true,
        payments: [{ amount: 4.99, status: 'succeeded' }],
      })
      expect(shown.history.map(({ action, actor }) => `${action} by ${actor}`)).toEqual([
        'subscribed by checkout',
        'subscription canceled by cli',
        'subscription resumed by cli',
      ])
      const { stdout } = await cli.run('subscription', 'show', id)
      for (const text of [id, '4.99 EUR', 'subscription resumed']) expect(stdout).toContain(text)
    })

    it('have a link for their reader, which opens the page where they are managed', async () => {
      await subscribe('liz')
      const { stdout } = await cli.run('subscription', 'link', ...named('liz'))
      const link = stdout.trim()
      expect(link).toMatch(/^https:\/\/access\.example\.com\/sandbox\/manage\/\S+$/)
      const page = await fetch(link.replace('https://access.example.com', service.url))
      expect(page.status).toBe(200)
      expect(await page.text()).toContain('Resource pass')
    })

    it('sold elsewhere are taken over, all of a file or none of it', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'))
      const file = join(folder, 'in.csv')
      const header = 'rid,email,user_ref,amount,currency,period,current_period_end'
      const ends = shop.environment.clock() + DAY
      const line = (who: string, rid: string) =>
        `${rid},${who}@example.com,${who},9,EUR,1 month,${ends}`
      const run = (...rows: string[]) => {
        writeFileSync(file, [header, ...rows, ''].join('\n'))
        return cli.run('subscription', 'import', ...aid(), file)
      }
      try {
        const wrong = await run(line('pam', 'pass'), line('pat', 'no-such'))
        expect(wrong).toEqual({
          code: 1,
          stdout: 'Nothing was imported: 1 of 2 rows are invalid.\nline 3: No such resource.\n',
          stderr: '',
        })
        expect(await hasAccess('pam')).toBe(false)
        const right = await run(line('pam', 'pass'), line('pat', 'pass'))
        expect(right).toMatchObject({ code: 0, stdout: '2 rows: 2 imported, 0 already there.\n' })
        expect(await hasAccess('pam')).toBe(true)
        const dry = ['subscription', 'import', ...aid(), file, '--dry-run']
        expect(await cli.json(...dry)).toMatchObject({ dry_run: true, imported: 0, unchanged: 2 })
        for (const who of ['pam', 'pat']) await cli.json('access', 'revoke', ...named(who))
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })

    it('that have ended, or are nobody’s, are not changed', async () => {
      await subscribe('max')
      await cli.json('access', 'revoke', ...named('max'))
      const [row] = await cli.json<{ id: string; status: string }[]>(
        ...['subscription', 'list', ...named('max')],
      )
      expect(row?.status).toBe('ended')
      for (const command of ['cancel', 'resume', 'link']) {
        const { code, stderr } = await cli.run('subscription', command, row?.id as string)
        expect([code, stderr]).toEqual([1, expect.stringContaining('ended on')])
      }
      const nobody = await cli.run('subscription', 'cancel', ...named('nobody'))
      expect(nobody.stderr).toBe('gatehouse: nobody has no subscription to pass.\n')
      const vague = await cli.run('subscription', 'show', ...aid())
      expect(vague.stderr).toContain(
        'either the id of the subscription, or --aid, --rid and --user-ref',
      )
      const other = await service.newApplication()
      const foreign = await cli.run('subscription', 'show', row?.id as string, '--aid', other.aid)
      expect(foreign.stderr).toContain('There is no subscription with the id')
    })
  })

  describe('payments', () => {
    it('are refunded in part, which leaves the access, and in full, which ends it', async () => {
      await shop.buy({ rid: 'article', userRef: 'rob' })
      const { id } = await paymentOf('rob')
      const refund = (...args: string[]) => cli.json('payment', 'refund', id, ...aid(), ...args)
      const unnamed = await cli.run('payment', 'refund', id, ...aid(), '--amount', '2.50')
      expect(unnamed.stderr).toContain('reference: this or an idempotency_key is required')
      const part = await refund('--amount', '2.50', '--reference', 'sorry')
      expect(part).toMatchObject({ amount: 2.5, status: 'succeeded', payment: id })
      expect(await refund('--amount', '2.50', '--reference', 'sorry')).toEqual(part)
      expect(await cli.json('payment', 'show', id)).toMatchObject({
        status: 'partially_refunded',
        refunded: 2.5,
        provider: 'test',
        refunds: [{ amount: 2.5 }],
      })
      expect(await hasAccess('rob', 'article')).toBe(true)
      const over = await cli.run('payment', 'refund', id, ...aid(), '--amount', '2.50')
      expect(over).toMatchObject({ code: 1, stdout: '' })
      expect(await refund()).toMatchObject({ amount: 2.49, status: 'succeeded' })
      expect(await hasAccess('rob', 'article')).toBe(false)
    })

    it('of another application are not refunded', async () => {
      await shop.buy({ rid: 'article', userRef: 'sam' })
      const other = await service.newApplication('sandbox')
      const { id } = await paymentOf('sam')
      const outcome = await cli.run('payment', 'refund', id, '--aid', other.aid)
      expect(outcome).toMatchObject({ code: 1, stderr: 'gatehouse: No such payment.\n' })
      expect(await paymentOf('sam')).toMatchObject({ status: 'succeeded', refunds: [] })
    })

    it('are disputed in the sandbox: opened keeps the access, lost ends it', async () => {
      await shop.buy({ rid: 'article', userRef: 'tim' })
      const { id } = await paymentOf('tim')
      const dispute = (outcome: string) => cli.json('payment', 'dispute', id, outcome, ...aid())
      expect(await dispute('opened')).toMatchObject({ status: 'disputed' })
      expect(await hasAccess('tim', 'article')).toBe(true)
      const refused = await cli.run('payment', 'refund', id, ...aid())
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('in dispute') })
      expect(await dispute('won')).toMatchObject({ status: 'succeeded' })
      await dispute('opened')
      expect(await dispute('lost')).toMatchObject({ status: 'lost' })
      expect(await hasAccess('tim', 'article')).toBe(false)
    })

    it('that somebody should look at are found, and doctor tells of them', async () => {
      await subscribe('una')
      // Nothing vouches for a typed address, so the duplicate can't be refused before paying.
      const twice = { rid: 'pass', email: 'twice@example.com', terms: MONTHLY }
      await shop.buy(twice)
      await shop.buy(twice)
      const flagged = await cli.json<object[]>('payment', 'list', ...aid(), '--flagged')
      expect(flagged).toMatchObject([{ flag: 'duplicate' }])
      const { stdout } = await cli.run('doctor')
      expect(stdout).toMatch(
        /^warning +payments sandbox +1 payments of the last 30 days are flagged/m,
      )
      expect(stdout).toMatch(/^ok +payments production +not connected/m)
    })
  })

  it('that waits for the provider is counted, and doctor tells of it when it waits long', async () => {
    await shop.buy({ rid: 'article', userRef: 'ugo' })
    const { id } = await paymentOf('ugo')
    const waiting = async () => {
      const text = await (await fetch(`${service.url}/metrics`)).text()
      const found =
        /^gatehouse_provider_orders\{environment="sandbox",kind="refund"\} (\d+)$/m.exec(text)
      const { stdout } = await cli.run('doctor')
      return {
        count: Number(found?.[1]),
        told: /^warning +payments sandbox .* have been waiting/m.exec(stdout),
      }
    }
    await shop.work()
    expect(await waiting()).toEqual({ count: 0, told: null })
    const { database: db, clock, realTime } = shop.environment
    const input = { aid: shop.aid, paymentId: id, actor: 'test' }
    const order = (amount: number, ago: number) =>
      db.write((trx) =>
        requestRefund(
          trx,
          { ...input, amount, reference: `refund ${ago}` },
          { now: clock() - ago, realTime: realTime() },
        ),
      )
    await order(1, 500)
    expect(await waiting()).toEqual({ count: 1, told: null })
    await order(2, 700)
    const late = await waiting()
    expect([late.count, late.told?.[0]]).toEqual([
      2,
      expect.stringContaining('0 payments and 1 refunds'),
    ])
    await shop.work()
    expect(await waiting()).toEqual({ count: 0, told: null })
  })

  describe('a revoke', () => {
    it('with --refund pays back what is current, and says so', async () => {
      await subscribe('vic')
      const revoked = await cli.json('access', 'revoke', ...named('vic'), '--refund')
      expect(revoked).toMatchObject({
        status: 'revoked',
        refund: { amount: 4.99, currency: 'EUR', status: 'succeeded' },
        refunds: [{ status: 'succeeded' }],
      })
      const shown = await cli.json('access', 'show', ...named('vic'))
      expect(shown).toMatchObject({
        sources: [{ kind: 'subscription', subscription_id: expect.any(String) }],
        payments: [{ status: 'refunded', refunded: 4.99 }],
      })
    })

    it('without it ends the subscription and pays nothing back', async () => {
      await subscribe('wes')
      await cli.json('access', 'revoke', ...named('wes'))
      expect(await paymentOf('wes', 'pass')).toMatchObject({ status: 'succeeded', refunds: [] })
      expect(await cli.json('subscription', 'show', ...named('wes'))).toMatchObject({
        status: 'ended',
      })
    })

    it('with --refund of what was never paid refunds nothing', async () => {
      await shop.client.grantAccess({ rid: 'pass', email: 'xia@example.com', user_ref: 'xia' })
      const revoked = await cli.json('access', 'revoke', ...named('xia'), '--refund')
      expect(revoked).toMatchObject({ status: 'revoked', refund: null, refunds: [] })
    })
  })

  describe('the settings of a seller', () => {
    it('are on receipts, and can be taken back', async () => {
      const set = (...args: string[]) => cli.json('app', 'set', shop.aid, ...args)
      const address = String.raw`Main Street 1\n12345 Town`
      const changed = await set(
        ...['--seller-name', 'Example GmbH', '--seller-address', address, '--tax-line', 'VAT DE1'],
        ...[
          '--grace-days',
          '3',
          '--return-url',
          'https://a.example',
          '--return-url',
          'https://b.example/x',
        ],
      )
      expect(changed).toMatchObject({
        seller_name: 'Example GmbH',
        seller_address: 'Main Street 1\n12345 Town',
        tax_line: 'VAT DE1',
        grace_days: 3,
        return_urls: ['https://a.example', 'https://b.example/x'],
      })
      await shop.buy({ rid: 'article', userRef: 'yen' })
      const [mail] = (await listOutbox(service, 'sandbox')).filter(
        ({ recipient }) => recipient === 'yen@example.com',
      )
      const { stdout } = await cli.run('mail', 'show', mail?.id as string)
      for (const line of ['Example GmbH', 'Main Street 1', '12345 Town', 'VAT DE1']) {
        expect(stdout).toContain(line)
      }
      const { stdout: shown } = await cli.run('app', 'show', shop.aid)
      expect(shown).toContain('Main Street 1, 12345 Town')
      expect(shown).toContain('https://a.example, https://b.example/x')
      expect(
        await set(
          '--seller-name',
          '',
          '--seller-address',
          '',
          '--tax-line',
          '',
          '--return-url',
          '',
        ),
      ).toMatchObject({ seller_name: null, seller_address: null, tax_line: null, return_urls: [] })
      await set('--grace-days', '7')
    })
  })

  // Runs last, since it moves the clock for all tests.
  describe('the clock', () => {
    const show = () => cli.json<{ time: number; ahead: number }>('clock', 'show')

    it("is the real time in production, and can't be moved there", async () => {
      const now = Math.floor(Date.now() / 1000)
      const shown = await cli.json<{ time: number }>('clock', 'show', '--env', 'production')
      expect(shown).toMatchObject({ environment: 'production', ahead: 0 })
      expect(Math.abs(shown.time - now)).toBeLessThan(60)
      const moved = await cli.run('clock', 'advance', '1d', '--env', 'production')
      expect(moved).toMatchObject({ code: 1, stdout: '' })
      expect(moved.stderr).toContain("production's clock can't be moved")
    })

    it('visits what falls due on the way, and tells of it', async () => {
      await subscribe('zoe')
      await subscribe('zac', 'declined_later')
      await shop.work()
      const mails = (await listOutbox(service, 'sandbox')).length
      const before = await show()
      const told = await cli.json<Record<string, number>>('clock', 'advance', '40d')
      expect((told.to ?? 0) - (told.from ?? 0)).toBeGreaterThanOrEqual(40 * DAY)
      expect(told.renewed).toBeGreaterThanOrEqual(1)
      // The renewal charge, and its retries on days 1, 3, 5 and 7.
      expect(told).toMatchObject({ renewals_failed: 5, subscriptions_ended: 1, trial_notices: 0 })
      expect(told.mails).toBe((await listOutbox(service, 'sandbox')).length - mails)
      const after = await show()
      expect(after.time - before.time).toBeGreaterThanOrEqual(40 * DAY)
      expect(await hasAccess('zoe')).toBe(true)
      expect(await hasAccess('zac')).toBe(false)
    })

    it('goes on to a date, in weeks too, and never back', async () => {
      const { time } = await show()
      const to = formatTime(time + 3 * DAY)
      expect(await cli.json('clock', 'advance', '--to', to)).toMatchObject({
        to: expect.toSatisfy((at: number) => at >= time + 3 * DAY),
      })
      const { stdout } = await cli.run('clock', 'advance', '1w', '--env', 'sandbox')
      expect(stdout).toMatch(/^from .*\nto /)
      expect((await show()).time).toBeGreaterThanOrEqual(time + 10 * DAY)
      const back = await cli.run('clock', 'advance', '--to', formatTime(time))
      expect(back).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('can only move forward'),
      })
      for (const args of [[], ['1d', '--to', to], ['600w'], ['soon']]) {
        expect((await cli.run('clock', 'advance', ...args)).code, args.join(' ')).toBe(1)
      }
    })

    it('goes back to real time when the sandbox is emptied, if that is meant', async () => {
      const unsure = await cli.run('sandbox', 'reset')
      expect(unsure).toMatchObject({ code: 1, stdout: '' })
      expect(unsure.stderr).toContain('--yes')
      expect(await hasAccess('zoe')).toBe(true)
      const done = await cli.json<{ time: number }>('sandbox', 'reset', '--yes')
      expect(Math.abs(done.time - Date.now() / 1000)).toBeLessThan(60)
      expect((await show()).ahead).toBe(0)
      expect(await hasAccess('zoe')).toBe(false)
    })
  })
})
