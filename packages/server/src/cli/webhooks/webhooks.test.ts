import { beforeAll, describe, expect, it } from 'vitest'
import { type Cli, inProcessCli } from '../../testing/cli.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import {
  useApplication,
  useReceiver,
  useService,
  useWebhookSender,
} from '../../testing/use-service.ts'
import { answering } from '../../testing/webhooks/receiver.ts'
import { addEvents } from '../../testing/webhooks/sending.ts'

interface Endpoint {
  id: string
  secret: string
  state: string
  types: string[]
}

describe.each(entryPointDatabases)('gatehouse webhook on $name', (database) => {
  const service = useService(database, { useRealTime: true })
  const app = useApplication(service)
  const receiver = useReceiver()
  const sender = useWebhookSender(service)
  let cli: Cli
  beforeAll(async () => {
    const env = { ...service.installation.env, GATEHOUSE_WEBHOOK_ALLOW: '127.0.0.1/32' }
    cli = inProcessCli(env)
  })
  const create = (...more: string[]) =>
    cli.json<Endpoint>('webhook', 'create', '--aid', app.aid, '--url', receiver.url, ...more)
  const errorOf = async (...args: string[]) => {
    const { code, stderr } = await cli.run('webhook', ...args)
    expect([args, code]).toEqual([args, 1])
    return stderr
  }

  it('creates, lists, changes, rotates, disables, enables and deletes an endpoint', async () => {
    expect((await cli.run('webhook', 'list')).stdout).toContain('No webhook endpoints.')
    const { id, secret } = await create('--types', 'access.*', 'payment.failed')
    expect(secret).toMatch(/^whsec_\S{44}$/)
    const text = (await cli.run('webhook', 'list', '--aid', app.aid)).stdout
    expect(text).toMatch(new RegExp(`${id} +production +${app.aid} +on .*access\\.\\* payment`))
    const changed = await cli.json<Endpoint>('webhook', 'set', id, '--types', '*')
    expect(changed.types).toEqual(['*'])
    expect(await cli.json('webhook', 'show', id)).toMatchObject({ live_secrets: 1 })
    const rotated = await cli.json<Endpoint>('webhook', 'rotate-secret', id)
    expect(rotated.secret).not.toBe(secret)
    const shown = await cli.run('webhook', 'show', id)
    expect(shown.stdout).toMatch(/live_secrets +2/)
    expect(shown.stdout).not.toContain('whsec_')
    expect(await cli.json('webhook', 'disable', id)).toMatchObject({ state: 'disabled' })
    expect(await cli.json('webhook', 'enable', id)).toMatchObject({ state: 'on' })
    expect((await cli.run('webhook', 'delete', id)).stdout).toContain('Deleted')
    expect(await errorOf('show', id)).toContain('no webhook endpoint with the id')
  })

  it('refuses what is wrong in plain words', async () => {
    const at = ['create', '--aid', app.aid, '--url']
    expect(await errorOf(...at, 'http://10.0.0.1/')).toContain('url:')
    expect(await errorOf(...at, receiver.url, '--types', 'access.odd')).toContain('access.odd')
    const { id } = await create()
    expect(await errorOf('set', id)).toContain('pass --url, --types or --description')
    expect(await errorOf('rotate-secret', id, '--overlap', '31d')).toContain('30 days')
    expect(await errorOf('test', id, '--type', 'odd')).toContain('Must be a type of event')
    expect(await errorOf('deliveries', id, 'evt_none')).toContain('No such delivery.')
    expect(await errorOf('deliveries', id, '--state', 'odd')).toContain('pending, sending')
    expect(await errorOf('replay', id)).toContain('--from')
    expect(await errorOf('replay', id, '--from', '2', '--to', '1')).toContain('to: must not be')
    await cli.json('webhook', 'delete', id)
  })

  it('sends a test event, or the sample of a type, and prints the answer', async () => {
    const { id } = await create()
    receiver.received = []
    const good = await cli.run('webhook', 'test', id)
    expect(good).toMatchObject({ code: 0, stdout: expect.stringMatching(/^status +200\n/) })
    expect(good.stdout).toContain('status 200')
    receiver.respond = answering(500)
    const bad = await cli.run('webhook', 'test', id, '--type', 'access.granted', '--json')
    expect(bad.code).toBe(1)
    expect(JSON.parse(bad.stdout)).toMatchObject({ id, status: 500, response: 'status 500' })
    const types = receiver.received.map(({ body }) => JSON.parse(body).type)
    expect(types).toEqual(['webhook.test', 'access.granted'])
    expect(receiver.received[1]?.headers['webhook-signature']).toMatch(/^v1,/)
    await cli.json('webhook', 'set', id, '--url', 'http://127.0.0.1:9/')
    const none = await cli.run('webhook', 'test', id)
    expect(none).toMatchObject({ code: 1, stdout: expect.stringMatching(/^No answer: \S/) })
    await cli.json('webhook', 'delete', id)
    receiver.respond = answering(200)
  })

  it('lists deliveries, shows one with request and answers, and sends them again', async () => {
    const { id } = await create()
    receiver.respond = answering(410)
    const [gone] = await addEvents(app, ['ann'])
    await sender.sendAllDue()
    receiver.respond = answering(200)
    await cli.json('webhook', 'enable', id)
    const [taken] = await addEvents(app, ['ann'], 'access.granted')
    await sender.sendAllDue()
    const list = (...filters: string[]) =>
      cli.json<{ event_id: string; state: string }[]>('webhook', 'deliveries', id, ...filters)
    expect(await list()).toMatchObject([
      { event_id: taken, state: 'delivered', last_status: 200 },
      { event_id: gone, state: 'failed', last_status: 410, attempts: 1 },
    ])
    expect(await list('--limit', '1')).toHaveLength(1)
    expect(await list('--state', 'failed')).toMatchObject([{ event_id: gone }])
    expect(await list('--type', 'access.granted')).toMatchObject([{ event_id: taken }])
    const table = (await cli.run('webhook', 'deliveries', id)).stdout
    expect(table).toMatch(new RegExp(`${gone} +user\\.access_changed +failed +1 .* 410`))
    const one = (await cli.run('webhook', 'deliveries', id, gone as string)).stdout
    expect(one).toMatch(/attempt +1\n/)
    expect(one).toContain('status 410')
    expect(one).toContain('"type": "user.access_changed"')

    const dry = ['webhook', 'replay', id, '--from', '0', '--dry-run']
    expect((await cli.run(...dry)).stdout).toMatch(/events +1\n.*Nothing was sent\.\n$/s)
    expect(await cli.json(...dry, '--all')).toMatchObject({ events: 2, mode: 'all' })
    receiver.received = []
    expect(await cli.json(...dry.slice(0, -1))).toMatchObject({ id: expect.any(String), events: 1 })
    await sender.sendAllDue()
    expect(receiver.received.map((event) => event.id)).toEqual([gone])
    await cli.json('webhook', 'delete', id)
  })
})
