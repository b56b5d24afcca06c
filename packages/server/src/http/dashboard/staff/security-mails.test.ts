import { beforeEach, describe, expect, it } from 'vitest'
import { findControlViolations } from '../../../db/invariants/invariants.ts'
import { createLogger } from '../../../logging/logger.ts'
import { createAuthenticator } from '../../../testing/browser/authenticator.ts'
import { inProcessCli } from '../../../testing/cli.ts'
import { databases } from '../../../testing/databases.ts'
import {
  callApi,
  cookieIn,
  memberAt,
  newMember,
  newOwner,
  PASSWORD,
  registerPasskey,
  type TestMember,
  tokenIn,
} from '../../../testing/staff.ts'
import { useFreshService, useSmtp } from '../../../testing/use-service.ts'
import { sendNextStaffMail } from '../../../worker/staff-mail-worker.ts'

const NEXT = 'quite another password'

describe.each(databases)('somebody who knows a password, on $name', (database) => {
  const smtp = useSmtp()
  const service = useFreshService(database, () => ({ env: { GATEHOUSE_SMTP_URL: smtp.url } }))
  let owner: TestMember
  let ann: TestMember

  beforeEach(async () => {
    owner = await newOwner(service)
    ann = await newMember(owner, service.url, 'support', 'ann@example.com')
    await sendAll()
    smtp.mails.length = 0
  })

  async function sendAll(): Promise<void> {
    const job = { log: createLogger('silent'), abandonSignal: new AbortController().signal }
    while ((await sendNextStaffMail({ ctx: service.ctx, ...job })) !== 'none');
  }

  /** The subjects of the emails that a member has got since. */
  async function subjects(to = ann.email): Promise<string[]> {
    await sendAll()
    const found = smtp.mailsTo(to).map(({ mail }) => mail.subject ?? '')
    smtp.mails.length = 0
    return found.sort()
  }

  const key = () => createAuthenticator(service.url)
  const ADDED = 'A passkey was added to your Gatehouse account'
  const REMOVED = 'A passkey was removed from your Gatehouse account'
  const CHANGED = 'The password of your Gatehouse account was changed'

  it('can’t add a passkey of their own, remove one or change the password unnoticed', async () => {
    const added = await registerPasskey(ann, key(), 'Call 555-0100 now')
    await sendAll()
    const [received] = smtp.mailsTo(ann.email)
    expect(received?.mail.text).toContain('127.0.0.1')
    expect(received?.mail.text).toContain('If that was not you')
    expect(received?.mail.text).not.toContain('555-0100')
    expect(await subjects()).toEqual([ADDED])
    await ann.call('DELETE', `/passkeys/${(added.json as { id: string }).id}`)
    expect(await subjects()).toEqual([REMOVED])
    await ann.call('POST', '/password', { current: PASSWORD, next: NEXT })
    expect(await subjects()).toEqual([CHANGED])
    expect(await findControlViolations(service.ctx.control.read)).toEqual([])
  })

  it('is noticed, too, when a link sets the password and removes the passkeys', async () => {
    await registerPasskey(ann, key())
    const { link } = (await owner.call('POST', `/team/${ann.id}/reset`)).json as { link: string }
    await sendAll()
    smtp.mails.length = 0
    const body = { token: tokenIn(link), name: 'Ann', password: NEXT }
    expect((await callApi(service.url, 'POST', '/link/use', { body })).status).toBe(200)
    expect(await subjects()).toEqual([REMOVED, CHANGED].sort())
  })

  it('gets no email about an account that was disabled', async () => {
    await registerPasskey(ann, key())
    await owner.confirm()
    await owner.call('POST', `/team/${ann.id}/disable`)
    expect(await subjects()).toEqual([])
  })

  async function another(member: TestMember): Promise<TestMember> {
    const body = { email: member.email, password: PASSWORD }
    const response = await callApi(service.url, 'POST', '/sign-in', { body })
    expect(response.status).toBe(200)
    return memberAt(service.url, member, cookieIn(response))
  }
  const isIn = async (member: TestMember) => (await member.call('GET', '/me')).status === 200

  it('is signed out when the member adds a first passkey, and not with the second', async () => {
    const thief = await another(ann)
    await registerPasskey(ann, key())
    expect([await isIn(thief), await isIn(ann)]).toEqual([false, true])
    const phone = await another(ann)
    await registerPasskey(ann, key())
    expect(await isIn(phone)).toBe(true)
  })

  it('is signed out when a passkey begins to be needed, by whatever choice', async () => {
    await registerPasskey(ann, key())
    const sessionsAfter = async (change: () => Promise<{ status: number }>) => {
      const thief = await another(ann)
      expect((await change()).status).toBe(204)
      return [await isIn(thief), await isIn(ann), await isIn(owner)]
    }
    const choose = (on: boolean) => ann.call('PUT', '/passkeys/only', { on })
    expect(await sessionsAfter(() => choose(true))).toEqual([false, true, true])
    await choose(false)
    const policy = (policy: string) => owner.call('PUT', '/team/passkey-policy', { policy })
    expect(await sessionsAfter(() => policy('everybody'))).toEqual([false, false, true])
    await policy('owners')
    ann = await another(ann)
    const promote = () => owner.call('PATCH', `/team/${ann.id}`, { role: 'owner' })
    expect(await sessionsAfter(promote)).toEqual([false, false, true])
    await policy('nobody')
    ann = await another(ann)
    const thief = await another(ann)
    const cli = inProcessCli(service.installation.env)
    expect((await cli.run('staff', 'require-passkey', ann.email)).code).toBe(0)
    expect([await isIn(thief), await isIn(ann)]).toEqual([false, false])
  })
})

describe.each(databases)('without a mail server, on $name', (database) => {
  const service = useFreshService(database)

  it('nothing is sent about the security of an account, also not later', async () => {
    const owner = await newOwner(service)
    await owner.call('POST', '/password', { current: PASSWORD, next: NEXT })
    const job = { log: createLogger('silent'), abandonSignal: new AbortController().signal }
    expect(await sendNextStaffMail({ ctx: service.ctx, ...job })).toBe('none')
    const mails = service.ctx.control.read.selectFrom('staff_mails').select(['kind', 'status'])
    expect(await mails.execute()).toEqual([{ kind: 'security', status: 'kept' }])
  })
})
