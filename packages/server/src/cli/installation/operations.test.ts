import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Gatehouse } from '@gatehouse/sdk'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addKeyToFile, createMasterKey, readKeyFile } from '../../domain/apps/master-key.ts'
import { reseal } from '../../domain/apps/sealed.ts'
import { type Cli, inProcessCli, spawnedCli } from '../../testing/cli.ts'
import { databases, entryPointDatabases, type TestInstallation } from '../../testing/databases.ts'
import { startTestService, type TestApplication, type TestService } from '../../testing/service.ts'
import { startTestMailWorker, waitForOutbox } from '../../testing/smtp/outbox.ts'
import {
  useApplication,
  useMigratedInstallation,
  useService,
  useSmtp,
} from '../../testing/use-service.ts'

const PASSWORD = 'not-for-your-eyes'

/** Returns the settings with a password in the database URL, if there is one. */
function withPasswords(installation: TestInstallation): Record<string, string> {
  const { GATEHOUSE_DATABASE_URL } = installation.env
  if (GATEHOUSE_DATABASE_URL === undefined) return installation.env
  const url = new URL(GATEHOUSE_DATABASE_URL)
  url.password = PASSWORD
  return { ...installation.env, GATEHOUSE_DATABASE_URL: url.href }
}

interface Checkup {
  ok: boolean
  checks: { check: string; status: string; message: string; todo?: string }[]
}

describe.each(entryPointDatabases)('mail by command line on $name', (database) => {
  const smtp = useSmtp()
  const service = useService(database, () => ({
    useRealTime: true,
    env: { GATEHOUSE_SMTP_URL: smtp.url },
  }))
  let app: TestApplication
  let cli: Cli
  let real: Cli
  let kept: Cli
  beforeAll(async () => {
    const smtpUrl = smtp.url.replace('//', `//user:${PASSWORD}@`)
    const env = withPasswords(service.installation)
    cli = inProcessCli({ ...env, GATEHOUSE_SMTP_URL: smtpUrl })
    real = spawnedCli({ ...env, GATEHOUSE_SMTP_URL: smtpUrl })
    kept = inProcessCli(env)
    app = await service.newApplication()
    await app.addResource('news', { name: 'The <News>', url: 'https://example.com/news' })
  })
  afterAll(async () => {
    expect(cli.printed + real.printed + kept.printed).not.toContain(PASSWORD)
  })

  interface Mail {
    id: string
    status: string
    to: string
  }

  it('lists, shows and sends again what was given up', async () => {
    smtp.fault = (step) => (step === 'recipient' ? 550 : undefined)
    const worker = startTestMailWorker(service, smtp.url)
    for (const who of ['ann', 'bob', 'cid']) {
      const email = `${who}@example.com`
      await app.client.grantAccess({ rid: 'news', email, user_ref: who, message: 'Hello <you>' })
    }
    await waitForOutbox(service, (rows) => rows.every((row) => row.status === 'dead'))
    const [mails, none, sandbox, limited] = await Promise.all([
      cli.json<Mail[]>('mail', 'list', '--status', 'dead'),
      cli.json<Mail[]>('mail', 'list', '--status', 'sent'),
      cli.json<Mail[]>('mail', 'list', '--env', 'sandbox'),
      cli.json<Mail[]>('mail', 'list', '--aid', app.aid, '--limit', '2'),
    ])
    expect(mails.map((mail) => mail.to).sort()).toEqual(
      ['ann', 'bob', 'cid'].map((who) => `${who}@example.com`),
    )
    expect([none, sandbox]).toEqual([[], []])
    expect(limited).toHaveLength(2)

    const { checks } = await cli.json<Checkup>('doctor')
    expect(checks).toContainEqual(
      expect.objectContaining({
        message: '3 emails failed',
        todo: expect.stringMatching(/gatehouse mail retry --all-dead --env production$/),
      }),
    )

    smtp.fault = () => undefined
    const ann = mails.find((mail) => mail.to === 'ann@example.com')?.id as string
    expect(await real.json('mail', 'retry', ann)).toMatchObject({ id: ann, status: 'queued' })
    await waitForOutbox(service, (rows) => rows.find((row) => row.id === ann)?.status === 'sent')
    expect(await cli.json('mail', 'retry', '--all-dead', '--env', 'production')).toEqual({
      queued: 2,
    })
    await waitForOutbox(service, (rows) => rows.every((row) => row.status === 'sent'))
    await worker.stop()
    expect(smtp.mails).toHaveLength(3)

    const [shown, html, again] = await Promise.all([
      cli.json('mail', 'show', ann),
      cli.run('mail', 'show', ann, '--html'),
      cli.run('mail', 'retry', ann),
    ])
    const received = smtp.mailsTo('ann@example.com')[0]?.mail
    expect(shown).toMatchObject({ id: ann, status: 'sent', to: 'ann@example.com' })
    expect(shown.subject).toBe(received?.subject)
    expect(String(shown.text).trim()).toBe(received?.text?.trim())
    expect(html.stdout.trim()).toBe(received?.html?.trim())
    expect(html.stdout).toContain('Hello &lt;you&gt;')
    expect(again).toMatchObject({
      code: 1,
      stderr: `gatehouse: the email ${ann} was already sent\n`,
    })
  })

  it('queues nothing where no server would send it', async () => {
    const sandbox = await service.newApplication('sandbox')
    await sandbox.addResource('news')
    await sandbox.client.grantAccess({ rid: 'news', email: 'dan@example.com', user_ref: 'dan' })
    const [mail] = await kept.json<Mail[]>('mail', 'list', '--env', 'sandbox')
    expect(mail).toMatchObject({ to: 'dan@example.com', status: 'kept' })
    expect(await kept.run('mail', 'retry', mail?.id as string)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no mail server .* gatehouse mail connect --env sandbox/),
    })
    expect(await kept.json<Mail[]>('mail', 'list', '--env', 'sandbox')).toEqual([mail])
  })

  it('is looked at by doctor, which tells what it can’t reach and never how it signs in', async () => {
    const good = await cli.json<Checkup>('doctor')
    expect(good.checks).toContainEqual({
      check: 'mail production',
      status: 'ok',
      message: `127.0.0.1:${smtp.port} answers`,
    })
    await smtp.refuse()
    const { code, stdout } = await real.run('doctor')
    await smtp.accept()
    expect(code).toBe(1)
    expect(stdout).toMatch(/^failed +mail production .*ECONNREFUSED/m)
    expect(stdout).toMatch(/-> .*GATEHOUSE_SMTP_URL/)
  })
})

describe.each(entryPointDatabases)('the master key by command line on $name', (database) => {
  const installation = useMigratedInstallation(database)
  let service: TestService
  let app: TestApplication
  let cli: Cli
  beforeAll(async () => {
    service = await startTestService(database, { installation, useRealTime: true })
    app = await service.newApplication()
    await service.newApplication('sandbox')
    cli = inProcessCli(installation.env)
  })
  afterAll(async () => {
    await service.requireInvariants()
    await service.stop()
  })

  const folder = () => installation.env.GATEHOUSE_DATA as string
  const file = () => readFileSync(join(folder(), 'master.key'), 'utf8')

  /** Repeats a request until the returned function is called; rejects if any of them fails. */
  function ask(client: Gatehouse): () => Promise<number> {
    let stopped = false
    const asking = (async () => {
      let count = 0
      for (; !stopped; count++) {
        await service.ctx.environments.production.keyring.refresh()
        await client.searchAccess()
      }
      return count
    })()
    return async () => {
      stopped = true
      return await asking
    }
  }

  it('is rotated beside a running server, without a failed request', async () => {
    const before = file()
    const finish = ask(app.client)
    const done = await spawnedCli(installation.env).json('key', 'rotate-master')
    expect(await finish()).toBeGreaterThan(0)
    expect(done).toMatchObject({ resealed: 2 })
    expect(readKeyFile(folder())).toHaveLength(1)
    expect(file()).not.toBe(before)
    expect(statSync(join(folder(), 'master.key')).mode & 0o777).toBe(0o600)
    // The running server seals with the new key too, and can open what others sealed.
    const later = await service.newApplication()
    await later.client.searchAccess()
    expect((await cli.json<Checkup>('doctor')).checks).toContainEqual({
      check: 'master key',
      status: 'ok',
      message: expect.stringContaining('decrypts all 3 keys'),
    })
  })

  it('opens everything after a restart', async () => {
    await service.stop()
    service = await startTestService(database, { installation, useRealTime: true })
    const { aid, privateKey } = app
    app = { ...app, client: new Gatehouse({ baseUrl: service.url, aid, privateKey }) }
    await app.client.searchAccess()
  })

  it('is rotated to the end by a second run, after the first was killed half-way', async () => {
    addKeyToFile(folder())
    const keys = readKeyFile(folder())
    const half = createMasterKey('test', () => keys)
    await service.ctx.environments.production.database.write((trx) => reseal(trx, half))
    await app.client.searchAccess()
    const { checks } = await cli.json<Checkup>('doctor')
    expect(checks.find(({ check }) => check === 'master key')).toMatchObject({
      status: 'warning',
      todo: expect.stringContaining('gatehouse key rotate-master'),
    })
    // Only the sandbox's key is left to be sealed again.
    expect(await cli.json('key', 'rotate-master')).toMatchObject({ resealed: 1 })
    expect(readKeyFile(folder())).toEqual(keys.slice(0, 1))
    await app.client.searchAccess()
  })

  it('may come from a variable, which is then shortened', async () => {
    const [old] = file().split('\n') as [string]
    const fresh = randomBytes(32).toString('base64url')
    const withKeys = (keys: string) =>
      inProcessCli({ ...installation.env, GATEHOUSE_MASTER_KEY: keys })
    const one = await withKeys(old).run('key', 'rotate-master')
    expect(one).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Nothing to do.*NEW,OLD/s),
    })
    const both = await withKeys(`${fresh},${old}`).run('key', 'rotate-master')
    expect(both.stdout).toMatch(/^Re-encrypted 3 .*Remove the other keys from GATEHOUSE_MASTER_KEY/)
    const [short, wrong] = await Promise.all([
      withKeys(fresh).json<Checkup>('doctor'),
      withKeys(old).run('doctor'),
    ])
    expect(short.ok).toBe(true)
    expect(wrong.code).toBe(1)
    expect(wrong.stdout).toMatch(/^failed +master key .*GATEHOUSE_MASTER_KEY can't decrypt/m)
    for (const { stdout, stderr } of [one, both, wrong]) {
      for (const secret of [old, fresh, app.privateKey]) {
        expect(stdout + stderr).not.toContain(secret)
      }
    }
    // Seal with the old key again, which the running service has in its file.
    await withKeys(`${old},${fresh}`).json('key', 'rotate-master')
    await app.client.searchAccess()
  })
})

describe.each(databases)('doctor on $name', (database) => {
  const service = useService(database, { useRealTime: true })
  const app = useApplication(service, { resources: ['news'] })
  let cli: Cli
  let real: Cli
  beforeAll(async () => {
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
    cli = inProcessCli(withPasswords(service.installation))
    real = spawnedCli(withPasswords(service.installation))
  })
  afterAll(async () => {
    expect(cli.printed + real.printed).not.toContain(PASSWORD)
    expect(cli.printed + real.printed).not.toContain(app.privateKey)
  })

  const change = (statement: ReturnType<typeof sql>) =>
    app.environment.database.write((trx) => statement.execute(trx))

  it('finds nothing wrong with a good service', async () => {
    const { ok, checks } = await cli.json<Checkup>('doctor', '--deep')
    expect(ok).toBe(true)
    const named = checks.map(({ check }) => check)
    for (const name of ['address', 'database control', 'master key', 'disk', 'clock']) {
      expect(named).toContain(name)
    }
    for (const env of ['production', 'sandbox']) {
      expect(checks).toContainEqual(
        expect.objectContaining({ check: `rules ${env}`, status: 'ok' }),
      )
    }
    expect(named.includes('file production')).toBe(database.engine === 'sqlite')
    expect(checks.filter(({ status }) => status === 'failed')).toEqual([])
  })

  it('reports a rule that is broken, when it looks deep', async () => {
    await change(sql`update access set ends = ends - 1`)
    const [shallow, deep] = await Promise.all([cli.run('doctor'), real.run('doctor', '--deep')])
    await change(sql`update access set ends = ends + 1`)
    expect(shallow.code).toBe(0)
    expect(deep.code).toBe(1)
    expect(deep.stdout).toMatch(
      /^failed +rules production +violated: an access ends with the latest of its open sources/m,
    )
    expect(deep.stdout).toMatch(/^ok +rules sandbox/m)
    await service.requireInvariants()
  })

  it('reports a clock that is behind what happened already', async () => {
    const future = Math.floor(Date.now() / 1000) + 3600
    const values = sql`${app.aid}, ${Number.MAX_SAFE_INTEGER}, ${future}, 'test', 'marked'`
    await change(sql`insert into history (aid, seq, at, actor, action) values (${values})`)
    const { code, stdout } = await cli.run('doctor')
    await change(sql`delete from history where action = 'marked'`)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^failed +clock /m)
  })

  it('warns of an address that the world reaches and nobody named', async () => {
    const open = inProcessCli({ ...service.installation.env, GATEHOUSE_HOST: '0.0.0.0' })
    const { code, stdout } = await open.run('doctor')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^warning +address /m)
    expect(stdout).toContain('set GATEHOUSE_BASE_URL')
  })

  it('reports what keeps a service from starting', async () => {
    const env = service.installation.env
    const key = join(env.GATEHOUSE_DATA as string, 'master.key')
    const wrong = await inProcessCli({ ...env, GATEHOUSE_PORT: 'eighty' }).run('doctor')
    chmodSync(key, 0o644)
    const open = await inProcessCli(env).run('doctor')
    chmodSync(key, 0o600)
    expect(wrong).toMatchObject({ code: 1, stderr: '' })
    expect(wrong.stdout).toMatch(/^failed +configuration +GATEHOUSE_PORT must be/m)
    expect(open).toMatchObject({ code: 1, stderr: '' })
    expect(open.stdout).toContain(`chmod 600 ${key}`)
  })
})
