import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { findControlViolations } from '../../db/invariants/invariants.ts'
import { createLogger } from '../../logging/logger.ts'
import { databases } from '../../testing/databases.ts'
import type { ReceivedMail } from '../../testing/smtp/smtp.ts'
import { callApi, PASSWORD, type TestMember, tokenIn } from '../../testing/staff.ts'
import { useOwner, useService, useSmtp, useStaff } from '../../testing/use-service.ts'
import { sendNextStaffMail } from '../../worker/staff-mail-worker.ts'
import { putOnHold } from '../installation/hold.ts'
import { digestOf } from './tokens.ts'

const linkIn = ({ mail }: ReceivedMail) => /http\S+#\w+/.exec(mail.text ?? '')?.[0] ?? ''

describe.each(databases)('Emails with links to staff on $name', (database) => {
  const smtp = useSmtp()
  const service = useService(database, () => ({ env: { GATEHOUSE_SMTP_URL: smtp.url } }))
  const staff = useStaff(service)
  let owner: TestMember
  let support: TestMember

  /** Sends everything that is due; returns what happened to each email. */
  async function sendAll(): Promise<string[]> {
    const outcomes: string[] = []
    for (;;) {
      const job = { log: createLogger('silent'), abandonSignal: new AbortController().signal }
      const outcome = await sendNextStaffMail({ ctx: service.ctx, ...job })
      if (outcome === 'none') return outcomes
      outcomes.push(outcome)
    }
  }

  beforeAll(async () => {
    ;({ owner, support } = staff)
    // The invitations of these members have been used.
    expect(await sendAll()).toEqual(['dropped', 'dropped', 'dropped'])
  })

  beforeEach(async () => {
    await owner.confirm()
  })

  const rows = () => service.ctx.control.read.selectFrom('staff_mails').selectAll().execute()
  const invite = async (email: string, role = 'support') =>
    (await owner.call('POST', '/team/invite', { email, role })).json as {
      link: string
      mail: string
      email: string
    }
  const invitations = async () =>
    ((await owner.call('GET', '/team')).json as { invitations: { email: string; mail: unknown }[] })
      .invitations
  const forget = (email: string) => callApi(service.url, 'POST', '/forgotten', { body: { email } })

  it('an invitation is mailed with the link that the page shows, and the list says so', async () => {
    const { link, mail, email } = await invite(' Bob@Example.com ')
    expect({ mail, email }).toEqual({ mail: 'ready', email: 'Bob@Example.com' })
    expect(await invitations()).toMatchObject([{ mail: { status: 'queued', sent_at: null } }])
    expect(await sendAll()).toEqual(['sent'])
    const [received] = smtp.mailsTo('Bob@example.com')
    expect(linkIn(received as ReceivedMail)).toBe(link)
    expect(received?.mail.html).toContain(link)
    expect(received?.mail.text).toMatch(/^Test person invites you .* with the role Support\.$/m)
    expect(await invitations()).toMatchObject([
      { mail: { status: 'sent', sent_at: service.clock.now } },
    ])
  })

  it('stores no token that works, in no table and in no audit entry', async () => {
    const { link } = await invite('sam@example.com')
    const { control } = service.ctx
    const audit = await control.read.selectFrom('audit').selectAll().execute()
    const stored = JSON.stringify([await rows(), audit])
    expect(stored).not.toContain(tokenIn(link))
    expect(stored).toContain(digestOf(tokenIn(link)))
    await sendAll()
  })

  it('an invitation that was withdrawn or replaced is not mailed', async () => {
    await invite('eve@example.com')
    const second = await invite('eve@example.com')
    await invite('mallory@example.com')
    await owner.call('POST', '/team/withdraw', { email: 'mallory@example.com' })
    expect((await sendAll()).sort()).toEqual(['dropped', 'dropped', 'sent'])
    expect(smtp.mailsTo('eve@example.com').map(linkIn)).toEqual([second.link])
    expect(smtp.mailsTo('mallory@example.com')).toEqual([])
  })

  it('a refused email is tried again, and shown as failed once it is given up', async () => {
    smtp.fault = (step) => (step === 'recipient' ? 451 : undefined)
    await invite('later@example.com')
    await sendAll()
    const shown = async () =>
      (await invitations()).find(({ email }) => email === 'later@example.com')
    expect(await shown()).toMatchObject({ mail: { status: 'queued' } })
    smtp.fault = (step) => (step === 'recipient' ? 550 : undefined)
    service.clock.advance(120)
    await sendAll()
    smtp.fault = () => undefined
    expect(await shown()).toMatchObject({ mail: { status: 'failed' } })
    expect(JSON.stringify(await rows())).not.toContain('later@example.com')
  })

  it('a link that an owner creates is mailed to the member', async () => {
    const before = smtp.mailsTo(support.email).length
    const { link, mail } = (await owner.call('POST', `/team/${support.id}/reset`)).json as never
    expect(mail).toBe('ready')
    await sendAll()
    expect(smtp.mailsTo(support.email).slice(before).map(linkIn)).toEqual([link])
  })

  it('a forgotten password gets the same answer for members and strangers, and a link for members', async () => {
    service.clock.advance(15 * 60)
    const known = await forget(' SUPPORT@example.com')
    const unknown = await forget('nobody@example.com')
    expect([known.status, known.text]).toEqual([204, ''])
    expect([unknown.status, unknown.text]).toEqual([204, ''])
    expect((await forget('carol@')).status).toBe(400)
    const before = smtp.mailsTo(support.email).length
    expect((await sendAll()).sort()).toEqual(['dropped', 'sent'])
    expect(smtp.mailsTo('nobody@example.com')).toEqual([])
    const [received] = smtp.mailsTo(support.email).slice(before)
    const token = tokenIn(linkIn(received as ReceivedMail))
    const use = (text: string) =>
      callApi(service.url, 'POST', '/link/use', {
        body: { token: text, name: 'Support', password: `${PASSWORD} again` },
      })
    expect((await use(token)).status).toBe(200)
    expect((await use(token)).status).toBe(410)
  })

  it('such links live 10 minutes, end older ones that were asked for, and leave others valid', async () => {
    const { link } = (await owner.call('POST', `/team/${support.id}/reset`)).json as never
    const look = async (text: string) =>
      (await callApi(service.url, 'POST', '/link/look', { body: { token: tokenIn(text) } })).status
    service.clock.advance(15 * 60)
    const before = smtp.mailsTo(support.email).length
    await forget(support.email)
    await forget(support.email)
    await sendAll()
    const [reset, first, second] = smtp.mailsTo(support.email).slice(before).map(linkIn) as string[]
    expect(reset).toBe(link)
    expect(await look(link)).toBe(200)
    expect([await look(first as string), await look(second as string)]).toEqual([410, 200])
    service.clock.advance(10 * 60 - 1)
    expect(await look(second as string)).toBe(200)
    service.clock.advance(1)
    expect(await look(second as string)).toBe(410)
    const body = { token: tokenIn(link), name: 'Support', password: PASSWORD }
    expect((await callApi(service.url, 'POST', '/link/use', { body })).status).toBe(200)
  })

  it('an email that is late makes no link if a newer one was asked for', async () => {
    service.clock.advance(15 * 60)
    // About the passwords that were set before.
    await sendAll()
    const before = smtp.mailsTo(support.email).length
    await forget(support.email)
    service.clock.advance(1)
    await service.ctx.control.write((trx) =>
      trx
        .updateTable('staff_mails')
        .set({ due_at: service.clock.now + 60_000 })
        .where('status', '=', 'queued')
        .execute(),
    )
    await forget(support.email)
    expect(await sendAll()).toEqual(['sent'])
    service.clock.advance(60)
    expect(await sendAll()).toEqual(['dropped'])
    expect(smtp.mailsTo(support.email).length).toBe(before + 1)
  })

  it('asking is limited for each account, and stores nothing of what was typed', async () => {
    service.clock.advance(15 * 60)
    const typed = 'my-secret-words@example.com'
    const statuses = []
    for (let n = 0; n < 5; n++) statuses.push((await forget(typed)).status)
    expect(statuses).toEqual([204, 204, 204, 429, 429])
    expect((await forget('another@example.com')).status).toBe(204)
    const { control } = service.ctx
    const tries = await control.read.selectFrom('staff_tries').selectAll().execute()
    expect(JSON.stringify([await rows(), tries])).not.toContain('my-secret-words')
    await sendAll()
  })

  it('a disabled member gets no link', async () => {
    const { link } = await invite('dan@example.com')
    const body = { token: tokenIn(link), name: 'Dan', password: PASSWORD }
    const used = await callApi(service.url, 'POST', '/link/use', { body })
    const { id } = (used.json as { staff: { id: string } }).staff
    // The invitation was used, so that its email is not sent any more.
    expect(await sendAll()).toEqual(['dropped'])
    await owner.call('POST', `/team/${id}/disable`)
    await forget('dan@example.com')
    expect(await sendAll()).toEqual(['dropped'])
  })

  it('during a hold an invitation waits, and nobody can ask for a link', async () => {
    const { control, gate } = service.ctx
    await control.write((trx) => putOnHold(trx, { cause: 'restored', since: 1 }))
    await vi.waitFor(async () => expect(await gate.isOnHold()).toBe(true), { timeout: 60_000 })
    expect(await invite('held@example.com')).toMatchObject({ mail: 'held' })
    expect((await forget(support.email)).json).toMatchObject({ error: { code: 'on_hold' } })
    expect(await sendAll()).toEqual([])
    await gate.resume()
    expect(await sendAll()).toEqual(['sent'])
    expect(smtp.mailsTo('held@example.com')).toHaveLength(1)
  })

  it.each([
    `update staff_mails set sent_at = null where status = 'sent'`,
    `update staff_mails set lease_token = 'x'`,
    `update staff_mails set link_digest = null`,
    `update staff_mails set kind = 'gossip'`,
    `insert into staff_notifications select id, 'x', 'gossip', 1 from staff`,
  ])('doctor notices: %s', async (statement) => {
    const { control } = service.ctx
    await control
      .write(async (trx) => {
        await sql`insert into aids (aid, environment) values ('x', 'sandbox')`.execute(trx)
        await sql.raw(statement).execute(trx)
        const [violation] = await findControlViolations(trx)
        expect(violation?.rule).toMatch(/^(an email to staff|a choice) /)
        throw new Error('undone')
      })
      .catch((error: Error) => expect(error.message).toBe('undone'))
  })

  it('ten processes send each email once', async () => {
    for (let n = 0; n < 5; n++) await invite(`crowd${n}@example.com`)
    await Promise.all(Array.from({ length: 10 }, sendAll))
    for (let n = 0; n < 5; n++) expect(smtp.mailsTo(`crowd${n}@example.com`)).toHaveLength(1)
  })
})

describe.each(databases)('Without a mail server on $name', (database) => {
  const service = useService(database)
  const owner = useOwner(service)

  it('nothing is queued, and the responses say so', async () => {
    const made = await owner.call('POST', '/team/invite', { email: 'bob@x.org', role: 'support' })
    expect(made.json).toMatchObject({ mail: 'off', email: 'bob@x.org' })
    expect((await owner.call('POST', `/team/${owner.id}/reset`)).json).toMatchObject({
      mail: 'off',
    })
    const body = { email: owner.email }
    const response = await callApi(service.url, 'POST', '/forgotten', { body })
    expect(response.json).toMatchObject({ error: { code: 'mail_not_set_up' } })
    const rows = await service.ctx.control.read.selectFrom('staff_mails').selectAll().execute()
    expect(rows).toEqual([])
    const { invitations } = (await owner.call('GET', '/team')).json as { invitations: unknown[] }
    expect(invitations).toMatchObject([{ mail: null }])
  })
})
