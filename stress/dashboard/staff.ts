import { expect, it, vi } from 'vitest'
import { makeDigests } from '../../packages/server/src/domain/notifications/digest.ts'
import { ISSUES, issueName, PASS } from './crowd.ts'
import type { Stage } from './stage.ts'

const DAY = 86_400

export function walkCopy(stage: Stage): void {
  it('previews a copy to the sandbox, and copies what it said, but no people', async () => {
    const { page, open, button, stopwatch } = stage
    await open('settings/copy')
    await page()
      .getByText('Create “Test magazine” in the sandbox')
      .first()
      .waitFor({ state: 'attached' })
    await stopwatch.time('copy: preview', async () => {
      await button('Pair').click()
      await page().getByRole('heading', { name: PASS.name }).waitFor()
    })
    await page()
      .getByRole('heading', { name: issueName(ISSUES), exact: true })
      .waitFor()
    await page()
      .getByRole('checkbox', { name: `Copy ${issueName(2)}`, exact: true })
      .uncheck()
    // The resource of every new application, the pass, and all issues but one.
    const items = ISSUES + 1
    await stopwatch.time(`copy: ${items} resources`, async () => {
      await button(`Copy ${items} items to the sandbox`).click()
      await button('Copy').click()
      await page().getByText(`${items} items were copied to the sandbox.`).waitFor()
    })
    const { read } = stage.server.service.ctx.environments.sandbox.database
    const pair = await stage.server.service.ctx.control.read
      .selectFrom('application_pairs')
      .select('sandbox_aid as aid')
      .where('production_aid', '=', stage.aid())
      .executeTakeFirstOrThrow()
    const copied = await read
      .selectFrom('resources')
      .select('name')
      .where('aid', '=', pair.aid)
      .execute()
    expect(copied).toHaveLength(items)
    expect(copied.map(({ name }) => name)).not.toContain(issueName(2))
    const readers = read.selectFrom('users').select('uid').where('aid', '=', pair.aid)
    expect(await readers.execute()).toEqual([])
  })
}

export function walkStaffMail(stage: Stage): void {
  const { page, smtp, button } = stage
  const goto = (path: string) => page().goto(`${stage.server.dashboard}${path}`)

  it('invites a member by mail', async () => {
    await goto('team')
    await button('Invite').click()
    await page().getByLabel('Email').fill('helper@staff.example')
    await page().getByRole('radio', { name: 'Support' }).click()
    await button('Create link').click()
    await page().getByText('The link is also being emailed to helper@staff.example.').waitFor()
    await button('Done').click()
    await vi.waitFor(() => expect(smtp.mailsTo('helper@staff.example')).toHaveLength(1), {
      timeout: 300_000,
    })
  })

  it('lets a member choose her emails', async () => {
    await goto('account/notifications')
    const digest = page().getByRole('checkbox', { name: 'Daily summary' }).first()
    await digest.waitFor()
    const isOn = await digest.isChecked()
    for (const next of [!isOn, isOn]) {
      await digest.click()
      await page()
        .getByText(`Daily summary: ${next ? 'on' : 'off'}.`)
        .first()
        .waitFor()
    }
    if (!isOn) await digest.click()
    await page().reload()
    await digest.and(page().locator('[data-state=checked]')).waitFor()
  })

  it('tells her each morning what happened on the day before', async () => {
    const { ctx } = stage.server.service
    const members = await ctx.control.read.selectFrom('staff').select('email').execute()
    const owner = members[0]?.email as string
    // As if the last digest had been that of three days ago.
    await ctx.control.write(async (trx) => {
      const day = new Date(Date.now() - 4 * DAY * 1000).toISOString().slice(0, 10)
      await trx.deleteFrom('staff_digests').where('aid', '=', stage.aid()).execute()
      await trx.insertInto('staff_digests').values({ aid: stage.aid(), day }).execute()
    })
    await stage.stopwatch.time('daily digest', () => makeDigests(ctx, ctx.environments.production))
    const mail = await vi.waitFor(
      () => {
        const found = smtp.mailsTo(owner).find(({ mail }) => mail.subject?.includes('Summary of'))
        if (!found) throw new Error('no digest yet')
        return found.mail.text as string
      },
      { timeout: 300_000 },
    )
    const now = Math.floor(Date.now() / 1000)
    const end = Math.floor((now - 7 * 3_600) / DAY) * DAY
    const sales =
      await stage.number(`select count(*) from payments where aid = $aid and currency = 'USD'
      and status not in ('pending', 'failed') and settled >= ${end - DAY} and settled < ${end}`)
    expect(sales).toBeGreaterThan(0)
    expect(mail).toContain(` from ${sales} payment`)
  })
}

export function walkAuditLog(stage: Stage): void {
  it('says in the audit log what was done', async () => {
    const { page, middle } = stage
    await page().goto(`${stage.server.dashboard}audit`)
    await stage.title('Audit log')
    for (const sentence of [
      `added a note about ${middle.name}`,
      `made an account link for ${middle.name}`,
      `resent an email to ${middle.name}`,
      `edited ${middle.name}`,
      'saved a view of a list',
      'exported the list of people',
      'exported the list of payments',
      'exported the list of subscriptions',
      'imported access from a file',
      'copied',
      'invited helper@staff.example',
      'changed which emails they get',
    ]) {
      await page()
        .getByRole('row')
        .filter({ hasText: `Test ${sentence}` })
        .first()
        .waitFor()
    }
  })
}
