import { describe, expect, it } from 'vitest'
import { formatTime } from '../../format-time.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { useShopCommands } from '../../testing/payments/shop-commands.ts'
import { listOutbox } from '../../testing/smtp/outbox.ts'
import { DAY } from '../../testing/time.ts'

describe.each(entryPointDatabases)('money by command line on $name', (database) => {
  const { service, shop, cli, subscribe, hasAccess } = useShopCommands(database)

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

    it('dates emails, as the dashboard does', async () => {
      const { time } = await show()
      await shop.client.grantAccess({ rid: 'article', email: 'may@example.com', user_ref: 'may' })
      const mails = await cli.json<{ id: string; to: string; created: number }[]>('mail', 'list')
      const mail = mails.find(({ to }) => to === 'may@example.com')
      expect(mail?.created).toBeGreaterThanOrEqual(time)
      const { stdout } = await cli.run('mail', 'show', mail?.id as string)
      expect(stdout).toContain(formatTime(mail?.created as number))
    })

    it('shows emails without working links, which would leave no trace in the audit log', async () => {
      await subscribe('lia')
      const mails = await listOutbox(service, 'sandbox')
      const receipt = mails.find(({ recipient }) => recipient === 'lia@example.com')
      const { stdout } = await cli.run('mail', 'show', receipt?.id as string)
      expect(stdout).toContain('/manage/for-the-reader-alone')
      expect(stdout).not.toMatch(/\/manage\/(?!for-the-reader-alone)/)
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
      expect((await cli.run('sandbox', 'reset', '--yes')).stdout).toMatch(
        /^Reset the sandbox\. Its applications stay, with their keys, settings, resources, prices and files\. Its clock is at /,
      )
    })
  })
})
