import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInvitation } from '../../domain/staff/links.ts'
import { digestOfAccount } from '../../domain/staff/login-throttle.ts'
import { enqueueStaffMails } from '../../domain/staff/mails.ts'
import { env } from '../../testing/backups/use-backup.ts'
import { inProcessCli } from '../../testing/cli.ts'
import { databases, type TestInstallation } from '../../testing/databases.ts'
import { callManagement, newProgram, type TestProgram } from '../../testing/management.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import {
  callApi,
  cookieIn,
  memberAt,
  newOwner,
  PASSWORD,
  type TestMember,
  tokenIn,
} from '../../testing/staff.ts'
import {
  useApplication,
  useFreshInstallation,
  useFreshMigratedInstallation,
  useService,
} from '../../testing/use-service.ts'

describe.each(databases)('after a restore on $name', (database) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-access-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const service = useService(database, { env, useRealTime: true })
  useApplication(service)
  const empty = useFreshInstallation(database)
  const another = useFreshInstallation(database)
  const existing = useFreshMigratedInstallation(database)
  const file = join(folder, 'all.backup')
  let owner: TestMember
  let invitation: string
  let programs: Record<'kept' | 'revoked', TestProgram>

  beforeAll(async () => {
    owner = await newOwner(service)
    const body = { email: 'late@example.com', role: 'reader' }
    const { link } = (await owner.call('POST', '/team/invite', body)).json as { link: string }
    invitation = tokenIn(link)
    programs = {
      kept: await newProgram(service, 'reader', { name: 'CMS' }),
      revoked: await newProgram(service, 'support', { name: 'Import' }),
    }
    // A passkey that is about to be added, and links that wait to be mailed.
    expect((await owner.call('POST', '/passkeys/options')).status).toBe(200)
    const now = Date.now()
    await service.ctx.control.write(async (trx) => {
      const payload = { account: digestOfAccount(owner.email) }
      await enqueueStaffMails(trx, [{ key: 'asked', kind: 'forgot', payload }], now)
      await createInvitation(
        trx,
        { email: 'mailed@example.com', role: 'reader', by: owner },
        now,
        await service.ctx.staffSecret(),
      )
      await enqueueStaffMails(trx, [{ key: 'told', kind: 'security', staff_id: owner.id }], now)
    })
    const cli = inProcessCli({ ...service.installation.env, ...env })
    expect((await cli.run('backup', file)).code).toBe(0)
    // What the backup doesn't know.
    await owner.call('POST', `/tokens/${programs.revoked.id}/revoke`)
    await owner.call('POST', '/sign-out-everywhere')
  })

  async function withRestored(
    installation: TestInstallation,
    work: (restored: TestService) => Promise<void>,
  ): Promise<void> {
    const { stdout } = await inProcessCli({ ...installation.env, ...env }).run('restore', file)
    expect(stdout).toContain('Everybody is signed out of the dashboard')
    expect(stdout).toContain('2 management tokens wait until an owner confirms them')
    const restored = await startTestService(database, { env, installation, useRealTime: true })
    try {
      await work(restored)
      await restored.requireInvariants()
    } finally {
      await restored.stop()
    }
  }

  const useToken = ({ url }: TestService, { token }: TestProgram) =>
    callManagement(url, 'GET', '/sandbox/applications', {
      headers: { authorization: `Bearer ${token}` },
    })

  async function signIn({ url }: TestService): Promise<TestMember> {
    const body = { email: owner.email, password: PASSWORD }
    const response = await callApi(url, 'POST', '/sign-in', { body })
    expect(response.status).toBe(200)
    return memberAt(url, owner, cookieIn(response))
  }

  it('nobody is signed in, no link works, and tokens wait until an owner confirms each', async () => {
    await withRestored(empty, async (restored) => {
      expect((await owner.callAt(restored.url, 'GET', '/me')).status).toBe(401)
      const body = { token: invitation }
      expect((await callApi(restored.url, 'POST', '/link/look', { body })).status).toBe(403)
      const refused = await useToken(restored, programs.kept)
      expect([refused.status, refused.json]).toMatchObject([
        403,
        { error: { code: 'token_suspended' } },
      ])
      expect(refused.text).toContain('gatehouse token confirm')
      const member = await signIn(restored)
      const confirmed = await member.call('POST', `/tokens/${programs.kept.id}/confirm`)
      expect([confirmed.status, confirmed.json]).toMatchObject([
        200,
        { name: 'CMS', suspended_at: null },
      ])
      expect((await useToken(restored, programs.kept)).status).toBe(200)
      expect((await useToken(restored, programs.revoked)).status).toBe(403)
      await member.call('POST', `/tokens/${programs.revoked.id}/revoke`)
      expect((await useToken(restored, programs.revoked)).status).toBe(401)
      expect((await member.call('POST', '/tokens/nothing/confirm')).status).toBe(404)
    })
  })

  it('no challenge can be answered, and no link is mailed that waited, but what members are told is', async () => {
    await withRestored(another, async ({ ctx: { control } }) => {
      const challenges = control.read.selectFrom('staff_challenges').selectAll()
      expect(await challenges.execute()).toEqual([])
      const mails = control.read.selectFrom('staff_mails').select(['kind', 'key'])
      expect(await mails.execute()).toEqual([{ kind: 'security', key: 'told' }])
    })
  })

  it('into a database that exists, those who were signed in there are not either', async () => {
    const before = await startTestService(database, { env, installation: existing })
    const stranger = await newOwner(before)
    await before.stop()
    await withRestored(existing, async (restored) => {
      expect((await stranger.callAt(restored.url, 'GET', '/me')).status).toBe(401)
      await signIn(restored)
      const cli = inProcessCli({ ...existing.env, ...env })
      expect((await cli.run('token', 'confirm')).stderr).toContain('gatehouse token confirm --all')
      expect(await cli.json('token', 'confirm', programs.kept.id)).toEqual({ confirmed: ['CMS'] })
      expect((await useToken(restored, programs.revoked)).status).toBe(403)
      expect(await cli.json('token', 'confirm', '--all')).toEqual({ confirmed: ['Import'] })
      expect((await cli.run('token', 'confirm', '--all')).stdout).toContain('No token waits.')
      for (const one of Object.values(programs)) {
        expect((await useToken(restored, one)).status).toBe(200)
      }
    })
  })
})
