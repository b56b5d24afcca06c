import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Cli, inProcessCli } from '../../testing/cli.ts'
import { databases, entryPointDatabases } from '../../testing/databases.ts'
import { useApplication, useService } from '../../testing/use-service.ts'
import { startReceiver } from '../../testing/webhooks/receiver.ts'

const COMMAND = fileURLToPath(new URL('../../../bin/gatehouse.mjs', import.meta.url))

describe.each(entryPointDatabases)('gatehouse events on $name', (database) => {
  const service = useService(database, { useRealTime: true })
  const app = useApplication(service, { environment: 'sandbox' })
  const live = useApplication(service)
  const run = (...args: string[]) =>
    (inProcessCli(service.installation.env) as Cli).run('events', ...args)

  it('makes a sample event in the sandbox, for the cursor and for endpoints', async () => {
    const made = await run('trigger', 'subscription.canceled', '--aid', app.aid)
    expect(made.stdout).toMatch(/^Made evt_\w+, a sample of subscription\.canceled\.$/m)
    await run('trigger', 'catalogue.changed', '--aid', app.aid)
    const { data } = await app.client.searchEvents()
    expect(data).toMatchObject([
      {
        ...{
          type: 'subscription.canceled',
          aid: app.aid,
          environment: 'sandbox',
          sequence: expect.any(Number),
        },
        data: { aid: app.aid, status: 'canceled', cancel_at_period_end: true },
      },
      { type: 'catalogue.changed', data: { rid: 'news' } },
    ])
    const refused = await run('trigger', 'access.granted', '--aid', live.aid)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('in production') })
    const unknown = await run('trigger', 'access.odd', '--aid', app.aid)
    expect(unknown.stderr).toContain('Must be a type of event')
  })

  it('makes events of an import only if asked', async () => {
    await app.addResource('paper')
    const cli = inProcessCli(service.installation.env)
    const path = join(mkdtempSync(join(tmpdir(), 'gatehouse-test-')), 'readers.csv')
    const { cursor: after } = await app.client.searchEvents({ after: 'latest' })
    const importOne = async (ref: string, ...flags: string[]) => {
      writeFileSync(path, `rid,email,user_ref\npaper,${ref}@example.com,${ref}\n`)
      await cli.json('access', 'import', '--aid', app.aid, path, ...flags)
      return (await app.client.searchEvents({ after })).data.map(({ type }) => type)
    }
    expect(await importOne('silent')).toEqual([])
    expect(await importOne('told', '--events')).toEqual(['access.granted', 'user.access_changed'])
  })

  it('refuses to listen with what is wrong', async () => {
    const listen = (...more: string[]) => run('listen', '--aid', app.aid, ...more)
    expect((await listen('--forward-to', 'localhost:3000')).stderr).toContain('--forward-to must')
    expect((await listen('--secret', 'odd')).stderr).toContain('whsec_')
    expect((await listen('--types', 'odd')).stderr).toContain('Must be a type of event')
    expect((await run('listen', '--aid', 'nothing')).code).toBe(1)
  })
})

describe('gatehouse events listen', () => {
  const service = useService(databases[0], { useRealTime: true })
  const app = useApplication(service, { environment: 'sandbox' })

  function start(...args: string[]): { child: ChildProcess; until(text: string): Promise<string> } {
    const env = { ...process.env, ...service.installation.env }
    const command = [COMMAND, 'events', 'listen', '--aid', app.aid, ...args]
    const child = spawn(process.execPath, command, { cwd: '/', env })
    onTestFinished(() => void child.kill('SIGKILL'))
    let printed = ''
    const onText = (text: string) => {
      printed += text
      child.emit('printed')
    }
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onText)
    return {
      child,
      async until(text) {
        while (!printed.includes(text)) await once(child, 'printed')
        return printed
      },
    }
  }

  it('prints what happens from now on, forwards it signed, and ends with Ctrl-C', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const cli = inProcessCli(service.installation.env)
    const trigger = (type: string) => cli.run('events', 'trigger', type, '--aid', app.aid)
    await trigger('access.granted')
    const url = receiver.url.replace('127.0.0.1', 'localhost')
    const { child, until } = start('--forward-to', url, '--types', 'access.*')
    const secret = /whsec_\S+/.exec(await until('Stop with Ctrl-C.'))?.[0] ?? ''
    const entries = service.ctx.control.read
      .selectFrom('audit')
      .select(['action', 'aid', 'outcome'])
      .where('action', '=', 'webhook.listen')
    const begun = { action: 'webhook.listen', aid: app.aid }
    expect(await entries.execute()).toEqual([{ ...begun, outcome: 'begun' }])
    await trigger('payment.failed')
    await trigger('access.revoked')
    const printed = await until('access.revoked')
    expect(printed).toMatch(/^\d{4}-\S+Z {2}access\.revoked {2}evt_\w+ {2}200$/m)
    expect(printed).not.toMatch(/payment\.failed|access\.granted/)
    const [event] = receiver.received
    const verified = new Webhook(secret).verify(event?.body ?? '', event?.headers as never)
    expect(verified).toMatchObject({ type: 'access.revoked' })
    receiver.respond = (_, response) => void response.destroy()
    await trigger('access.ended')
    expect(await until('access.ended')).not.toMatch(/access\.ended {2}evt_\w+ {2}\d/)
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(await entries.execute()).toEqual([{ ...begun, outcome: 'done' }])
  })
})
