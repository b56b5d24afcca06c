import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../http/dashboard/staff/schemas.ts'
import { inProcessCli } from '../../testing/cli.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { callManagement } from '../../testing/management.ts'
import { useApplication, useOwner, useService } from '../../testing/use-service.ts'

describe.each(entryPointDatabases)('gatehouse token on $name', (database) => {
  const service = useService(database, { useRealTime: true })
  const app = useApplication(service)
  const owner = useOwner(service)
  const cliOf = () => inProcessCli(service.installation.env)

  it('creates a token, lists it without it, and revokes it', async () => {
    const cli = cliOf()
    expect((await cli.run('token', 'list')).stdout).toContain('There are no tokens.')
    const { stdout } = await cli.run('token', 'create', '--name', 'CMS', '--role', 'viewer')
    const token = /ghm_\S{43}/.exec(stdout)?.[0] ?? ''
    const ask = () =>
      callManagement(service.url, 'GET', '/production/applications', {
        headers: { authorization: `Bearer ${token}` },
      })
    expect((await ask()).status).toBe(200)
    const listed = await cli.run('token', 'list', '--json')
    const [row] = JSON.parse(listed.stdout) as { id: string; used_at: number }[]
    expect(row).toMatchObject({ name: 'CMS', role: 'reader', aid: null, ends_at: null })
    expect(row?.used_at).toBeGreaterThan(0)
    expect(listed.stdout).not.toContain('digest')
    expect(listed.stdout).not.toContain(token)
    expect((await cli.run('token', 'list')).stdout).toMatch(/CMS +ghm_\S{4} +viewer +all/)
    expect((await cli.run('token', 'revoke', row?.id ?? '')).stdout).toContain('Revoked')
    expect((await ask()).status).toBe(401)
    const { data } = (await owner.call('GET', '/audit?group=developers')).json as {
      data: AuditEntry[]
    }
    expect(data.map(({ action, email }) => `${action} by ${email}`)).toEqual([
      'token.revoke by command line',
      'token.create by command line',
    ])
  })

  it('limits a token to an application and a time, and refuses what is wrong', async () => {
    const cli = cliOf()
    const create = (...more: string[]) => cli.run('token', 'create', '--name', 'One', ...more)
    const made = await create(
      '--role',
      'support',
      '--aid',
      app.aid,
      '--expires',
      '2099-01-01',
      '--json',
    )
    expect(JSON.parse(made.stdout)).toMatchObject({
      ...{ aid: app.aid, role: 'support', ends_at: Date.UTC(2099, 0, 1) },
    })
    for (const [wrong, why] of [
      [['--role', 'owner'], 'Must be one of developer, support, viewer.'],
      [['--role', 'viewer', '--aid', 'nothing'], 'No such application.'],
      [['--role', 'viewer', '--expires', '2001-01-01'], 'must be in the future'],
    ] as const) {
      expect(await create(...wrong)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(why),
      })
    }
    expect(await cli.run('token', 'revoke', 'nothing')).toMatchObject({ code: 1 })
  })
})
