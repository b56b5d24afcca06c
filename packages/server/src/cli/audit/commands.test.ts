import type { Command } from 'commander'
import { describe, expect, it, vi } from 'vitest'
import { osUser } from '../../config/os-user.ts'
import { inProcessCli } from '../../testing/cli.ts'
import { listCommandLines } from '../../testing/commands/every-command.ts'
import { databases } from '../../testing/databases.ts'
import { newOwner } from '../../testing/staff.ts'
import { useApplication, useService } from '../../testing/use-service.ts'
import { createProgram } from '../cli.ts'
import { pathOf } from './audited-command.ts'
import { COMMANDS } from './declarations.ts'

const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)

it('every command says what it leaves in the audit log', () => {
  expect(Object.keys(COMMANDS).sort()).toEqual(leaves(createProgram()).map(pathOf).sort())
  expect(listCommandLines('/dev/null')).toHaveLength(Object.keys(COMMANDS).length)
})

/** Words in the description of a command that changes something or hands something out. */
const CHANGES =
  /^(create|change|set|grant|revoke|add|end|merge|write|delete|send|simulate|move|import|undo|upload|replace|publish|unpublish|cancel|refund|connect|invite|stop|allow|withdraw|restore|re-encrypt|print (a|the|an) )/

it('a command whose description names a change is no mere reader', () => {
  const readers = leaves(createProgram()).filter((one) =>
    [COMMANDS[pathOf(one)]].flat().some((declared) => declared?.kind === 'reads'),
  )
  expect(readers.filter((one) => CHANGES.test(one.description())).map(pathOf)).toEqual([])
  expect(readers.length).toBeLessThan(35)
})

describe.each(databases)('the audit log of commands, on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service, { resources: ['news'] })
  const cli = () => inProcessCli(service.installation.env)
  const rows = () =>
    service.ctx.control.read.selectFrom('audit').selectAll().orderBy('seq', 'desc').execute()
  const at = () => ['--aid', app.aid]

  /** Runs a command and returns its entry. */
  async function entryOf(...args: string[]) {
    const before = (await rows())[0]?.seq ?? 0
    const outcome = await cli().run(...args)
    const added = (await rows()).filter(({ seq }) => Number(seq) > Number(before))
    expect(added.length, outcome.stderr).toBeLessThan(2)
    return { ...added[0], outcomeOf: outcome }
  }
  const who = { staff_id: null, email: 'command line', os_user: osUser(), address: null }

  it('names who ran it, the application and the person, and not what was typed', async () => {
    const grant = await entryOf(
      ...['access', 'grant', ...at(), '--rid', 'news', '--email', 'ann@example.com', '--no-mail'],
    )
    const { uid } = JSON.parse(grant.details ?? '{}') as { uid: string }
    expect(uid).toMatch(/^[A-Za-z0-9]{20}$/)
    expect(grant).toMatchObject({
      ...{ ...who, action: 'access.grant', outcome: 'done', aid: app.aid },
      ...{ environment: 'production', details: JSON.stringify({ rid: 'news', uid }) },
    })
    const exported = await entryOf('user', 'export', 'ann@example.com', ...at())
    expect(exported).toMatchObject({ ...who, action: 'person.export', outcome: 'done' })
    expect(exported.details).toBe(JSON.stringify({ uid }))
    await entryOf('user', 'erase', uid, ...at(), '--yes')
    expect(JSON.stringify(await rows())).not.toContain('ann@')
  })

  it('has what was refused, and why', async () => {
    const refused = await entryOf(
      ...['access', 'revoke', ...at(), '--rid', 'news', '--user-ref', 'nobody'],
    )
    expect(refused).toMatchObject({ action: 'access.revoke', outcome: 'access_not_found' })
  })

  it('has what was refused about the team, with the member if there is one', async () => {
    const owner = await newOwner(service)
    const [email, nobody] = [owner.email, 'nobody@example.com']
    expect(await entryOf('staff', 'disable', nobody)).toMatchObject({
      ...{ ...who, action: 'team.disable', outcome: 'staff_not_found', params: '{}' },
      details: JSON.stringify({ email: nobody }),
    })
    const entry = { params: JSON.stringify({ id: owner.id }), details: JSON.stringify({ email }) }
    expect(await entryOf('staff', 'disable', email)).toMatchObject({
      ...{ ...who, ...entry, action: 'team.disable', outcome: 'last_owner' },
    })
    expect(await entryOf('staff', 'reset', email)).toMatchObject({
      ...{ ...entry, action: 'team.reset', outcome: 'done' },
    })
    expect(await entryOf('staff', 'require-passkey', email)).toMatchObject({
      ...{ action: 'team.passkey_only', outcome: 'no_passkey', params: entry.params },
      details: JSON.stringify({ email, on: true }),
    })
    expect(await entryOf('staff', 'passkey-policy', 'everybody')).toMatchObject({
      ...{ action: 'team.passkey_policy', details: '{"policy":"everybody"}' },
    })
    expect((await entryOf('staff', 'passkey-policy')).action).toBeUndefined()
    expect(await entryOf('staff', 'invite', nobody, '--role', 'viewer')).toMatchObject({
      ...{ action: 'team.invite', details: JSON.stringify({ email: nobody, role: 'reader' }) },
    })
  })

  it('has a key that was revealed, and not one that was only listed', async () => {
    expect((await entryOf('app', 'show', app.aid)).action).toBeUndefined()
    const revealed = await entryOf('app', 'show', app.aid, '--reveal')
    expect(revealed).toMatchObject({ action: 'key.reveal', aid: app.aid })
    const rotated = await entryOf('app', 'rotate-key', app.aid)
    expect(rotated).toMatchObject({ action: 'key.rotate', details: '{"overlap":86400}' })
  })

  it('has what was set, without the value', async () => {
    const set = await entryOf('app', 'set', app.aid, '--name', 'Secret plans', '--grace-days', '3')
    expect(set).toMatchObject({
      ...{ action: 'settings.change', details: '{"changed":"name grace_days"}' },
    })
  })

  it('has no preview', async () => {
    const args = ['resource', 'set', ...at(), '--rid', 'news', '--opens-all']
    expect((await entryOf(...args, '--dry-run')).action).toBeUndefined()
    expect((await entryOf(...args)).action).toBe('resource.opens')
  })

  it('names the caller of sudo', async () => {
    vi.stubEnv('SUDO_USER', 'petra')
    try {
      const { os_user } = await entryOf('app', 'show', app.aid, '--reveal')
      expect(os_user).toMatch(/ \(sudo petra\)$/)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('has an entry of each command that was run, even if it found nothing to do', async () => {
    const audited = Object.entries(COMMANDS).flatMap(([path, declared]) =>
      [declared].flat().some(({ kind }) => kind === 'audited') ? [path] : [],
    )
    const without: string[] = []
    for (const line of listCommandLines('/dev/null')) {
      const path = audited.find((one) => `${line.join(' ')} `.startsWith(`${one} `))
      // The master key of the service would be another one; the others have an entry only if more is given.
      const others = ['key rotate-master', 'app show', 'staff passkey-policy']
      if (path === undefined || others.includes(path)) continue
      const { action, outcomeOf } = await entryOf(...line)
      if (action === undefined) without.push(`${path} ${outcomeOf.stderr}`)
    }
    expect(without).toEqual([])
  })
})
