import { describe, expect, it } from 'vitest'
import { requestRefund } from '../../domain/payments/refunds/orders.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { MONTHLY } from '../../testing/payments/shop.ts'
import { useShopCommands } from '../../testing/payments/shop-commands.ts'
import { listOutbox } from '../../testing/smtp/outbox.ts'

describe.each(entryPointDatabases)('money by command line on $name', (database) => {
  const { service, shop, cli, aid, subscribe, hasAccess, paymentOf } = useShopCommands(database)

  describe('payments', () => {
    it('are refunded in part, which leaves the access, and in full, which ends it', async () => {
      await shop.buy({ rid: 'article', userRef: 'rob' })
      const { id } = await paymentOf('rob')
      const refund = (...args: string[]) => cli.json('payment', 'refund', id, ...aid(), ...args)
      const unnamed = await cli.run('payment', 'refund', id, ...aid(), '--amount', '2.50')
      expect(unnamed.stderr).toMatch(/^gatehouse: --reference is required for a partial refund/)
      const free = await cli.run('payment', 'refund', id, ...aid(), '--amount', 'much')
      expect(free.stderr).toMatch(/^gatehouse: --amount: /)
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
      const again = await cli.run('payment', 'refund', id, ...aid())
      expect(again.stderr).toBe('gatehouse: The payment is already refunded in full.\n')
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

    it('are printed where an option replaces a list', async () => {
      const set = (...args: string[]) => cli.run('app', 'set', shop.aid, ...args)
      const urls = ['--return-url', 'https://a.example', '--return-url', 'https://b.example']
      expect((await set(...urls)).stdout).toBe(
        `Changed ${shop.aid}.\nBuyers may return to: https://a.example, https://b.example\n`,
      )
      expect((await set('--grace-days', '7')).stdout).toBe(`Changed ${shop.aid}.\n`)
      expect((await set('--return-url', '')).stdout).toBe(
        `Changed ${shop.aid}.\nBuyers may return to: no URL\n`,
      )
    })
  })
})
