import { describe, expect, it, vi } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { callApi, newMember, PASSWORD, type TestMember, tokenIn } from '../../../testing/staff.ts'
import { useOwner, useService } from '../../../testing/use-service.ts'
import type { AuditEntry, Team } from './schemas.ts'

describe.each(databases)('the team on $name', (database) => {
  const service = useService(database)
  const other = useService(database, () => ({ installation: service.installation }))
  const owner = useOwner(service)

  const audit = async (query = '') =>
    ((await owner.call('GET', `/audit?${query}`)).json as { data: AuditEntry[] }).data

  it('has no member twice, and shows whom it waits for', async () => {
    const invite = (email: string) => owner.call('POST', '/team/invite', { email, role: 'reader' })
    expect((await invite('OWNER@example.com')).json).toMatchObject({
      error: { code: 'staff_exists' },
    })
    expect((await invite('no address')).json).toMatchObject({
      error: { message: 'email: not a valid email address' },
    })
    await invite('late@example.com')
    const team = (await owner.call('GET', '/team')).json as Team
    expect(team.members.map(({ email }) => email)).toEqual(['owner@example.com'])
    expect(team.invitations).toMatchObject([{ email: 'late@example.com', role: 'reader' }])
    expect(JSON.stringify(team)).not.toMatch(/argon2|password":"/)
  })

  it('takes invitations back: one by one, and with the owner who made them', async () => {
    const codeOf = async (link: string) => {
      const body = { token: tokenIn(link) }
      return (await callApi(service.url, 'POST', '/link/look', { body })).status
    }
    const inviteBy = async (member: TestMember, email: string) =>
      (
        (await member.call('POST', '/team/invite', { email, role: 'owner' })).json as {
          link: string
        }
      ).link
    const link = await inviteBy(owner, 'wrong@example.com')
    const withdraw = () => owner.call('POST', '/team/withdraw', { email: 'Wrong@example.com' })
    expect(await codeOf(link)).toBe(200)
    expect((await withdraw()).status).toBe(204)
    expect(await codeOf(link)).toBe(403)
    expect((await withdraw()).json).toMatchObject({ error: { code: 'invitation_not_found' } })

    const mal = await newMember(owner, service.url, 'owner', 'mal@example.com')
    const first = await inviteBy(mal, 'friend@example.com')
    await owner.call('PATCH', `/team/${mal.id}`, { role: 'reader' })
    expect(await codeOf(first)).toBe(403)
    await owner.call('PATCH', `/team/${mal.id}`, { role: 'owner' })
    const second = await inviteBy(mal, 'friend@example.com')
    const { link: reset } = (await mal.call('POST', `/team/${owner.id}/reset`)).json as {
      link: string
    }
    expect(await codeOf(reset)).toBe(200)
    await owner.call('POST', `/team/${mal.id}/disable`)
    expect([await codeOf(second), await codeOf(reset)]).toEqual([403, 403])
  })

  it('lets a disabled member in nowhere from that moment on, and again when enabled', async () => {
    const ann = await newMember(owner, service.url, 'support', 'ann@example.com')
    expect((await ann.callAt(other.url, 'GET', '/me')).status).toBe(200)
    const { link } = (await owner.call('POST', `/team/${ann.id}/reset`)).json as { link: string }
    await owner.call('POST', `/team/${ann.id}/disable`)
    expect((await ann.callAt(other.url, 'GET', '/me')).status).toBe(401)
    const look = await callApi(service.url, 'POST', '/link/look', {
      body: { token: tokenIn(link) },
    })
    expect(look.status).toBe(403)
    await owner.call('POST', `/team/${ann.id}/enable`)
    // Sessions from before stay ended.
    expect((await ann.call('GET', '/me')).status).toBe(401)
    const body = { email: 'ann@example.com', password: PASSWORD }
    expect((await callApi(other.url, 'POST', '/sign-in', { body })).status).toBe(200)
  })

  it('gives a member another role for the very next request, in every process', async () => {
    const bob = await newMember(owner, service.url, 'reader', 'bob@example.com')
    expect((await bob.callAt(other.url, 'GET', '/team')).status).toBe(403)
    expect((await owner.call('PATCH', `/team/${bob.id}`, { role: 'owner' })).status).toBe(204)
    expect((await bob.callAt(other.url, 'GET', '/team')).status).toBe(200)
    await owner.call('PATCH', `/team/${bob.id}`, { role: 'reader' })
    expect((await bob.callAt(other.url, 'GET', '/team')).status).toBe(403)
  })

  it('signs a member out everywhere', async () => {
    const cat = await newMember(owner, service.url, 'reader', 'cat@example.com')
    expect((await owner.call('POST', `/team/${cat.id}/sign-out`)).status).toBe(204)
    expect((await cat.call('GET', '/me')).status).toBe(401)
  })

  it('lets a member choose a new password by a link, which ends what the old one opened', async () => {
    const dan = await newMember(owner, service.url, 'reader', 'dan@example.com')
    const { link } = (await owner.call('POST', `/team/${dan.id}/reset`)).json as { link: string }
    const token = tokenIn(link)
    expect((await dan.call('GET', '/me')).status).toBe(200)
    const look = await callApi(service.url, 'POST', '/link/look', { body: { token } })
    expect(look.json).toMatchObject({ kind: 'reset', email: 'dan@example.com', name: dan.name })
    const body = { token, name: dan.name, password: 'quite another password' }
    expect((await callApi(service.url, 'POST', '/link/use', { body })).status).toBe(200)
    expect((await dan.call('GET', '/me')).status).toBe(401)
    const old = { email: 'dan@example.com', password: PASSWORD }
    expect((await callApi(service.url, 'POST', '/sign-in', { body: old })).status).toBe(401)
  })

  it('keeps an owner, also when two owners try to remove each other at once', async () => {
    const refused = { error: { code: 'last_owner' } }
    expect((await owner.call('POST', `/team/${owner.id}/disable`)).json).toMatchObject(refused)
    expect((await owner.call('PATCH', `/team/${owner.id}`, { role: 'reader' })).json).toMatchObject(
      refused,
    )
    const second = await newMember(owner, service.url, 'owner', 'second@example.com')
    const both = await Promise.all([
      owner.call('PATCH', `/team/${second.id}`, { role: 'reader' }),
      second.callAt(other.url, 'PATCH', `/team/${owner.id}`, { role: 'reader' }),
    ])
    expect(both.filter(({ status }) => status === 204)).toHaveLength(1)
    const [winner, loser] = both[0].status === 204 ? [owner, second] : [second, owner]
    expect((await winner.call('PATCH', `/team/${loser.id}`, { role: 'owner' })).status).toBe(204)
    await owner.call('POST', `/team/${second.id}/disable`)
  })

  it('knows no member by a wrong id', async () => {
    for (const [method, path] of [
      ['POST', '/team/nobody/disable'],
      ['POST', '/team/nobody/enable'],
      ['POST', '/team/nobody/sign-out'],
      ['POST', '/team/nobody/reset'],
    ] as const) {
      const response = await owner.call(method, path)
      expect(response.json, path).toMatchObject({ error: { code: 'staff_not_found' } })
    }
  })

  it('writes down what was done and by whom, also what was refused, and no secret', async () => {
    const eve = await newMember(owner, service.url, 'developer', 'eve@example.com')
    await owner.call('PATCH', `/team/${eve.id}`, { role: 'support' })
    await owner.call('POST', `/team/${owner.id}/disable`)
    await callApi(service.url, 'POST', '/sign-in', {
      body: { email: 'eve@example.com', password: 'not the right one' },
    })
    await callApi(service.url, 'POST', '/sign-in', {
      body: { email: 'my secret typed in the wrong place', password: 'x' },
    })
    // A wrong password is written down after its answer.
    const [failed, refused, role] = await vi.waitFor(async () => {
      const entries = await audit()
      const of = (action: string, email: string) =>
        entries.find((one) => one.action === action && one.email === email)
      const found = of('session.begin', 'eve@example.com')
      expect(found).toBeDefined()
      return [found, of('team.disable', owner.email), of('team.role', owner.email)]
    }, 5_000)
    expect(failed).toMatchObject({
      ...{ email: 'eve@example.com', action: 'session.begin', outcome: 'sign_in_failed' },
    })
    expect(refused).toMatchObject({
      ...{ email: 'owner@example.com', action: 'team.disable', outcome: 'last_owner' },
      params: { id: owner.id },
    })
    expect(role).toMatchObject({
      ...{ staff_id: owner.id, action: 'team.role', outcome: 'done' },
      details: { email: 'eve@example.com', role: 'support' },
    })
    const all = JSON.stringify(await audit('pagesize=100'))
    expect(all).not.toMatch(/secret typed|not the right one|correct horse|#[A-Za-z0-9]{43}/)
    expect((await audit(`staff=${eve.id}`)).map(({ action }) => action)).toEqual([
      'session.begin',
      'link.use',
    ])
    const invites = await audit('action=team.invite&pagesize=1')
    expect(invites).toHaveLength(1)
    expect(await audit('environment=sandbox')).toEqual([])
  })
})
