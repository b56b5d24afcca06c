import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inProcessCli } from '../../testing/cli.ts'
import { databases } from '../../testing/databases.ts'
import { createMoveTarget, type MoveTarget, PASSWORD } from '../../testing/postgres/move-target.ts'
import { startTestService } from '../../testing/service.ts'
import { useFreshApplication, useFreshService } from '../../testing/use-service.ts'

// A move can take minutes on a busy machine.
vi.setConfig({ testTimeout: 600_000 })

const [sqlite, postgres] = databases

describe('A move', () => {
  // A moved installation can't be read any more.
  const service = useFreshService(sqlite, { checksInvariants: false })
  const app = useFreshApplication(service, { resources: ['news'] })
  let target: MoveTarget
  beforeEach(async () => {
    target = await createMoveTarget('tables')
  })
  afterEach(async () => {
    await target.remove()
  })

  const move = (...args: string[]) => inProcessCli(service.installation.env).run('move', ...args)

  async function requireGoingOn(at = service): Promise<void> {
    const email = `${randomBytes(6).toString('hex')}@example.com`
    await app.clientAt(at.url).grantAccess({ rid: 'news', email, user_ref: email })
    await at.requireInvariants()
  }

  async function requireRefused(reason: RegExp, ...args: string[]): Promise<void> {
    const { code, stdout, stderr } = await move(...args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(reason)
    expect(stderr).toMatch(/^gatehouse: .*\n$/)
    expect(stderr).not.toContain(PASSWORD)
    await requireGoingOn()
  }

  it('is undone as long as nothing has happened in PostgreSQL, and done again', async () => {
    expect((await move('--to', target.url)).code).toBe(0)
    const moved = await startTestService(postgres, {
      installation: target.installationAt(service.installation),
    })
    await moved.stop()
    expect((await move('--to', target.url, '--verify')).stdout).toMatch(
      /All \d+ rows were read back/,
    )
    expect(await move('--to', target.url, '--undo')).toMatchObject({ code: 0, stderr: '' })
    await expect.poll(() => requireGoingOn().then(() => 'going on')).toBe('going on')
    await expect(
      startTestService(postgres, { installation: target.installationAt(service.installation) }),
    ).rejects.toThrow(/a move from SQLite to this database was not finished/)
    expect((await move('--to', target.url)).code).toBe(0)
    const again = await startTestService(postgres, {
      installation: target.installationAt(service.installation),
    })
    await requireGoingOn(again)
    await again.stop()
  })

  it('that is being undone lets no service start there meanwhile', async () => {
    expect((await move('--to', target.url)).code).toBe(0)
    const letGo = await target.lockTable('sandbox.users', 'access exclusive')
    const undoing = move('--to', target.url, '--undo')
    await target.untilMoveWaits()
    await expect(
      startTestService(postgres, { installation: target.installationAt(service.installation) }),
    ).rejects.toThrow(/was not finished/)
    await letGo()
    expect(await undoing).toMatchObject({ code: 0, stderr: '' })
    await expect.poll(() => requireGoingOn().then(() => 'going on')).toBe('going on')
  })

  it('empties nothing that came there while it waited', async () => {
    const other = await startTestService(postgres, {
      installation: target.installationAt(service.installation),
    })
    await other.stop()
    const letGo = await target.lockTable('control.meta')
    const moving = move('--to', target.url)
    await target.untilMoveWaits()
    await target.query(`insert into sandbox.meta values ('came', 'late')`)
    await letGo()
    expect((await moving).stderr).toMatch(/--to: this database already contains Gatehouse data/)
    expect(await target.query('select name from sandbox.meta')).toContainEqual({ name: 'came' })
    expect(await target.query('select name from control.meta')).toEqual([])
    await requireGoingOn()
  })

  it('whose undoing was stopped holds, whatever has happened there since', async () => {
    const stopUndoing = () =>
      target.query(`insert into control.meta select 'moving_from', 'undo of ' || value
        from control.meta where name = 'installation'`)
    const marks = () => target.query(`select 1 from control.meta where name = 'moving_from'`)
    expect((await move('--to', target.url)).code).toBe(0)
    await target.query(`update production.resources set name = 'changed since'`)
    await stopUndoing()
    expect((await move('--to', target.url, '--undo')).stderr).toMatch(/was changed since the move/)
    expect(await marks()).toEqual([])
    await stopUndoing()
    expect(await move('--to', target.url)).toMatchObject({ code: 0, stderr: '' })
    expect(await marks()).toEqual([])
  })

  it('that was stopped at its last step is finished by the next one', async () => {
    expect((await move('--to', target.url)).code).toBe(0)
    await target.query(`insert into control.meta select 'moving_from', value from control.meta
      where name = 'installation'`)
    await expect(
      startTestService(postgres, { installation: target.installationAt(service.installation) }),
    ).rejects.toThrow(/run it again/)
    expect(await move('--to', target.url)).toMatchObject({ code: 0, stderr: '' })
    const moved = await startTestService(postgres, {
      installation: target.installationAt(service.installation),
    })
    await requireGoingOn(moved)
    await moved.stop()
  })

  it('is given up when what is read back is not what was there', async () => {
    // Creates our empty tables, and a trigger that modifies the rows that arrive.
    const other = await startTestService(postgres, {
      installation: target.installationAt(service.installation),
    })
    await other.stop()
    await target.query(`create function meddle() returns trigger language plpgsql as
      $$ begin new.name = new.name || ' '; return new; end $$`)
    await target.query(`create trigger meddle before insert on production.resources
      for each row execute function meddle()`)
    await requireRefused(/the copy differs in production\.resources;/, '--to', target.url)
    await target.query('drop trigger meddle on production.resources')
    expect((await move('--to', target.url)).code).toBe(0)
  })

  it('needs an empty database', async () => {
    await target.remove()
    target = await createMoveTarget()
    await target.query('create schema sandbox')
    await target.query('create table sandbox.notes (text text)')
    await requireRefused(
      /--to: the schema sandbox contains tables that are not/,
      '--to',
      target.url,
    )
    await target.query('drop table sandbox.notes')
    const env = { GATEHOUSE_DATABASE_URL: `${target.url}?application_name=anything` }
    const other = await startTestService(postgres, {
      installation: target.installationAt(service.installation),
      env,
    })
    await requireRefused(/--to: a service is running on this database/, '--to', target.url)
    await other.newApplication()
    await other.stop()
    await requireRefused(/--to: this database already contains Gatehouse data/, '--to', target.url)
    await target.query('truncate production.applications cascade')
    await target.query(
      `truncate control.meta, control.aids, production.meta, production.history cascade`,
    )
    await target.query(`insert into control.meta values ('moving_from', 'somebody else')`)
    await requireRefused(/--to: this database already contains Gatehouse data/, '--to', target.url)
  })

  it('needs a database with the encoding UTF8', async () => {
    const name = `test_${randomBytes(6).toString('hex')}`
    await target.query(`create database ${name} encoding 'SQL_ASCII' template template0`)
    const url = new URL(target.url)
    url.pathname = name
    await requireRefused(/--to: the database has the encoding SQL_ASCII/, '--to', url.href)
    await target.query(`drop database ${name} with (force)`)
  })

  it('needs a server that answers, and a user that it lets in', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as { port: number }
    closed.close()
    await once(closed, 'close')
    const nowhere = `postgres://u:${PASSWORD}@127.0.0.1:${port}/x`
    await requireRefused(/--to: PostgreSQL can't be reached/, '--to', nowhere)
    const nobody = new URL(target.url)
    nobody.username = 'nobody'
    await requireRefused(/--to: PostgreSQL refused the connection/, '--to', nobody.href)
  })

  it("needs to know where to, and does not repeat what it can't read", async () => {
    await requireRefused(/no target: pass --to/)
    await requireRefused(/^gatehouse: --to must be a URL/, '--to', `mysql://u:${PASSWORD}@h/d`)
    await requireRefused(/^gatehouse: --to must be a URL/, '--to', '')
    await requireRefused(/was not moved/, '--to', target.url, '--undo')
    await requireRefused(/was not moved/, '--to', target.url, '--verify')
  })

  it('is for an installation on SQLite', async () => {
    const moved = { ...service.installation.env, GATEHOUSE_DATABASE_URL: target.url }
    const { stderr } = await inProcessCli(moved).run('move', '--to', target.url)
    expect(stderr).toMatch(/already uses PostgreSQL \(GATEHOUSE_DATABASE_URL is set\)/)
    const empty = await sqlite.createEmpty()
    const nothing = await inProcessCli(empty.env).run('move', '--to', target.url)
    expect(nothing.stderr).toMatch(/there is no installation in/)
    await empty.remove()
  })
})
