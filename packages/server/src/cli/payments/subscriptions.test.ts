import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entryPointDatabases } from '../../testing/databases.ts'
import { useShopCommands } from '../../testing/payments/shop-commands.ts'
import { DAY } from '../../testing/time.ts'

describe.each(entryPointDatabases)('money by command line on $name', (database) => {
  const { service, shop, cli, aid, named, subscribe, hasAccess, paymentOf } =
    useShopCommands(database)

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

    it('are refused where the resource is sold at the same price', async () => {
      const monthly = ['--rid', 'pass', '--amount', '7', '--currency', 'EUR', '--every', '1 month']
      const { id } = await create(...monthly)
      const again = await cli.run('price', 'create', ...aid(), ...monthly)
      expect(again).toMatchObject({
        code: 1,
        stderr: 'gatehouse: This resource is already sold at this price.\n',
      })
      const others = [
        await create(...monthly, '--trial-days', '7'),
        await create(...monthly.slice(0, -1), '1 year'),
        await create(...monthly.slice(0, -2), '--for', '1 month'),
        await create(...monthly.slice(0, -2)),
      ]
      await cli.json('price', 'archive', id as string, ...aid())
      const next = await create(...monthly)
      expect(next.id).not.toBe(id)
      for (const one of [...others, next]) {
        await cli.json('price', 'archive', one.id as string, ...aid())
      }
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
})
