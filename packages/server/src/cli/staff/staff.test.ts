import { beforeAll, describe, expect, it } from 'vitest'
import { updateRows } from '../../db/queries/rows.ts'
import type { AuditEntry } from '../../http/dashboard/staff/schemas.ts'
import { createAuthenticator } from '../../testing/browser/authenticator.ts'
import { type Cli, inProcessCli } from '../../testing/cli.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import {
  acceptInvite,
  callApi,
  newOwner,
  registerPasskey,
  type TestMember,
  tokenIn,
} from '../../testing/staff.ts'
import { useService } from '../../testing/use-service.ts'
import type { Finding } from '../doctor/checks.ts'

describe.each(entryPointDatabases)('gatehouse staff on $name', (database) => {
  const service = useService(database, { useRealTime: true })
  let cli: Cli
  let owner: TestMember
  beforeAll(async () => {
    cli = inProcessCli({
      ...service.installation.env,
      GATEHOUSE_BASE_URL: 'https://access.example.com',
    })
    expect((await cli.run('staff', 'list')).stdout).toContain('Nobody yet.')
    owner = await newOwner(service)
  })

  it('lists who there is', async () => {
    const members = await cli.json<{ email: string; role: string }[]>('staff', 'list')
    expect(members).toMatchObject([{ email: 'owner@example.com', role: 'owner' }])
    const { stdout } = await cli.run('staff', 'list')
    expect(stdout).toMatch(/owner@example\.com +Test person +owner/)
    expect(cli.printed).not.toContain('argon2')
  })

  it('chooses who needs a passkey, for all or for one', async () => {
    const policy = (...who: string[]) =>
      cli.json<{ policy: string }>('staff', 'passkey-policy', ...who)
    expect(await policy()).toEqual({ policy: 'owners' })
    expect(await policy('nobody')).toEqual({ policy: 'nobody' })
    const require = ['staff', 'require-passkey', 'owner@example.com']
    const none = await cli.run(...require)
    expect([none.code, none.stderr]).toMatchObject([1, expect.stringContaining('has no passkey')])
    await registerPasskey(owner, createAuthenticator(service.url))
    // It was made at another address than that of the dashboard.
    expect((await cli.run(...require)).stderr).toContain('has no passkey')
    await service.ctx.control.write((trx) =>
      updateRows(trx, 'staff_passkeys', { staff_id: owner.id }, { host: 'access.example.com' }),
    )
    expect(await cli.json(...require)).toMatchObject({ passkey_only: 'chosen' })
    expect((await cli.run('staff', 'list')).stdout).toContain('chosen')
    expect(await cli.json(...require, '--off')).toMatchObject({ passkey_only: 'no' })
    expect((await cli.run('staff', 'passkey-policy', 'owners')).stdout).toContain('Owners who have')
    expect((await cli.run(...require)).stdout).toContain('as gatehouse staff passkey-policy says')
    await policy('nobody')
  })

  it('has the service email the link where a mail server is set', async () => {
    const { env } = service.installation
    const mailing = inProcessCli({ ...env, GATEHOUSE_SMTP_URL: 'smtp://localhost:1' })
    const { stdout } = await mailing.run('staff', 'reset', 'owner@example.com')
    expect(stdout).toContain('The service also emails it to owner@example.com')
    const invite = ['staff', 'invite', 'tom@example.com', '--role', 'viewer']
    const { link, mail } = await mailing.json<{ link: string; mail: string }>(...invite)
    expect(mail).toBe('ready')
    const { read } = service.ctx.control
    const rows = await read.selectFrom('staff_mails').selectAll().execute()
    expect(rows.map(({ kind, status }) => `${kind} ${status}`).sort()).toEqual([
      ...['invite queued', 'reset queued', 'security queued'],
    ])
    expect(JSON.stringify(rows)).not.toContain(tokenIn(link))
  })

  it('has the doctor and a metric tell of emails that failed', async () => {
    const findings = async () => {
      const { checks } = await cli.json<{ checks: Finding[] }>('doctor')
      return checks.filter(({ check }) => check === 'mail to staff')
    }
    expect(await findings()).toMatchObject([{ status: 'ok' }])
    await service.ctx.control.write((trx) =>
      trx
        .updateTable('staff_mails')
        .set({ status: 'dead', last_error: '550 no such mailbox' })
        .where('kind', '=', 'invite')
        .execute(),
    )
    expect(await findings()).toMatchObject([
      {
        status: 'warning',
        message: expect.stringMatching(/^1 emails failed .*: 550 no such mailbox$/),
      },
    ])
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics.match(/^gatehouse_staff_mails\{.*$/gm)?.sort()).toEqual([
      'gatehouse_staff_mails{status="dead"} 1',
      'gatehouse_staff_mails{status="queued"} 2',
      'gatehouse_staff_mails{status="sending"} 0',
    ])
  })

  it('invites by a link at the public address, which works once', async () => {
    const { stdout } = await cli.run('staff', 'invite', 'ann@example.com', '--role', 'support')
    const link = /https:\/\/access\.example\.com\/dashboard\/invite#\S+/.exec(stdout)?.[0] ?? ''
    expect(stdout).toContain('No email is sent, because this command finds no mail server')
    expect(await acceptInvite(service.url, tokenIn(link))).toMatchObject({
      email: 'ann@example.com',
      role: 'support',
    })
    const again = await cli.run('staff', 'invite', 'ann@example.com', '--role', 'reader')
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already') })
    const role = await cli.run('staff', 'invite', 'bob@example.com', '--role', 'king')
    expect(role.code).toBe(1)
  })

  it('takes back an invitation that is still open', async () => {
    await cli.run('staff', 'invite', 'wrong@example.com', '--role', 'owner')
    const { stdout } = await cli.run('staff', 'withdraw', 'wrong@example.com')
    expect(stdout).toContain('no longer works')
    const again = await cli.run('staff', 'withdraw', 'wrong@example.com')
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('No open invitation') })
  })

  it('brings back an owner who is locked out', async () => {
    const { link } = await cli.json<{ link: string }>('staff', 'reset', 'Owner@example.com')
    expect(link).toMatch(/\/dashboard\/reset#/)
    owner = await acceptInvite(service.url, tokenIn(link), { password: 'a new password' })
    expect(owner.email).toBe('owner@example.com')
    const body = { email: 'owner@example.com', password: 'a new password' }
    expect((await callApi(service.url, 'POST', '/sign-in', { body })).status).toBe(200)
  })

  it('disables and enables, and keeps the last owner', async () => {
    const { link } = await cli.json<{ link: string }>(
      ...['staff', 'invite', 'eve@example.com', '--role', 'reader'],
    )
    const eve = await acceptInvite(service.url, tokenIn(link))
    expect((await cli.run('staff', 'list')).stdout).toMatch(/eve@example\.com .* viewer /)
    expect((await cli.run('staff', 'disable', 'eve@example.com')).stdout).toMatch(/can't sign in/)
    expect((await eve.call('GET', '/me')).status).toBe(401)
    expect((await cli.run('staff', 'enable', 'eve@example.com')).code).toBe(0)
    const last = await cli.run('staff', 'disable', 'owner@example.com')
    expect(last).toMatchObject({ code: 1, stderr: expect.stringContaining('At least one owner') })
    const nobody = await cli.run('staff', 'disable', 'nobody@example.com')
    expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('nobody@example.com') })
  })

  it('invites a viewer under either name of the role', async () => {
    const invite = (address: string, role: string) =>
      cli.run('staff', 'invite', address, '--role', role)
    expect((await invite('v1@example.com', 'viewer')).stdout).toContain('can join as viewer')
    expect((await invite('v2@example.com', 'reader')).stdout).toContain('can join as viewer')
    const unknown = await invite('v3@example.com', 'guest')
    expect(unknown.stderr).toContain('Must be one of owner, developer, support, viewer')
  })

  it('is written down as the command line', async () => {
    const { json } = await owner.call('GET', '/audit?action=team.disable')
    const { data } = json as { data: AuditEntry[] }
    expect(data.map(({ outcome }) => outcome).sort()).toEqual([
      'done',
      'last_owner',
      'staff_not_found',
    ])
    expect(data.filter(({ outcome }) => outcome === 'done')).toMatchObject([
      { staff_id: null, email: 'command line', details: { email: 'eve@example.com' } },
    ])
  })
})
