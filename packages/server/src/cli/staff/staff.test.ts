import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../http/dashboard/staff/schemas.ts'
import { type CommandLine, quickLine } from '../../testing/command.ts'
import { databases } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { arrive, callApi, newOwner, type TestMember, tokenIn } from '../../testing/staff.ts'

describe.each(databases)('gatehouse staff on $name', (database) => {
  let service: TestService
  let line: CommandLine
  let owner: TestMember
  beforeAll(async () => {
    service = await startTestService(database, { useRealTime: true })
    line = quickLine({ ...service.home.env, GATEHOUSE_BASE_URL: 'https://access.example.com' })
    expect((await line.run('staff', 'list')).stdout).toContain('Nobody yet.')
    owner = await newOwner(service)
  })
  afterAll(() => service.stop())

  it('lists who there is', async () => {
    const members = await line.json<{ email: string; role: string }[]>('staff', 'list')
    expect(members).toMatchObject([{ email: 'owner@example.com', role: 'owner' }])
    const { stdout } = await line.run('staff', 'list')
    expect(stdout).toMatch(/owner@example\.com +Test person +owner/)
    expect(line.printed).not.toContain('argon2')
  })

  it('invites by a link at the public address, which works once', async () => {
    const { stdout } = await line.run('staff', 'invite', 'ann@example.com', '--role', 'support')
    const link = /https:\/\/access\.example\.com\/dashboard\/invite#\S+/.exec(stdout)?.[0] ?? ''
    expect(await arrive(service.url, tokenIn(link))).toMatchObject({
      email: 'ann@example.com',
      role: 'support',
    })
    const again = await line.run('staff', 'invite', 'ann@example.com', '--role', 'reader')
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already') })
    const role = await line.run('staff', 'invite', 'bob@example.com', '--role', 'king')
    expect(role.code).toBe(1)
  })

  it('takes back an invitation that is still open', async () => {
    await line.run('staff', 'invite', 'wrong@example.com', '--role', 'owner')
    const { stdout } = await line.run('staff', 'withdraw', 'wrong@example.com')
    expect(stdout).toContain('leads nowhere any more')
    const again = await line.run('staff', 'withdraw', 'wrong@example.com')
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('no open invitation') })
  })

  it('brings back an owner who is locked out', async () => {
    const { link } = await line.json<{ link: string }>('staff', 'reset', 'Owner@example.com')
    expect(link).toMatch(/\/dashboard\/reset#/)
    owner = await arrive(service.url, tokenIn(link), { password: 'a new password' })
    expect(owner.email).toBe('owner@example.com')
    const body = { email: 'owner@example.com', password: 'a new password' }
    expect((await callApi(service.url, 'POST', '/sign-in', { body })).status).toBe(200)
  })

  it('disables and enables, and keeps the last owner', async () => {
    const { link } = await line.json<{ link: string }>(
      ...['staff', 'invite', 'eve@example.com', '--role', 'reader'],
    )
    const eve = await arrive(service.url, tokenIn(link))
    expect((await line.run('staff', 'disable', 'eve@example.com')).stdout).toMatch(/no more/)
    expect((await eve.call('GET', '/me')).status).toBe(401)
    expect((await line.run('staff', 'enable', 'eve@example.com')).code).toBe(0)
    const last = await line.run('staff', 'disable', 'owner@example.com')
    expect(last).toMatchObject({ code: 1, stderr: expect.stringContaining('an owner left') })
    const nobody = await line.run('staff', 'disable', 'nobody@example.com')
    expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('nobody@example.com') })
  })

  it('is written down as the command line', async () => {
    const { json } = await owner.call('GET', '/audit?action=team.disable')
    expect((json as { data: AuditEntry[] }).data).toMatchObject([
      { staff_id: null, email: 'command line', details: { email: 'eve@example.com' } },
    ])
  })
})
