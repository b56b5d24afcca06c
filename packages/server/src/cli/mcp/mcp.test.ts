import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, describe, expect, it } from 'vitest'
import type { TokenRole } from '../../domain/staff/management-tokens.ts'
import { inProcessCli } from '../../testing/cli.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { newProgram } from '../../testing/management.ts'
import { useApplication, useService } from '../../testing/use-service.ts'

const COMMAND = fileURLToPath(new URL('../../../bin/gatehouse.mjs', import.meta.url))

interface Result {
  content: { text: string }[]
  isError?: boolean
}

describe.each(entryPointDatabases)('gatehouse mcp on $name', (database) => {
  const service = useService(database, { useRealTime: true })
  const app = useApplication(service, { resources: ['winter'] })
  const clients: Client[] = []
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close()
  })

  /** Starts the real command, and speaks with it through the client of the official package. */
  async function connect(role: TokenRole, ...more: string[]) {
    const { token } = await newProgram(service, role)
    const client = new Client({ name: 'test', version: '1' })
    clients.push(client)
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [COMMAND, 'mcp', '--url', service.url, '--aid', app.aid, ...more],
        env: { PATH: process.env.PATH ?? '', GATEHOUSE_TOKEN: token },
      }),
    )
    const call = async (name: string, given: Record<string, unknown>) => {
      const result = (await client.callTool({ name, arguments: given })) as unknown as Result
      const text = result.content[0]?.text ?? ''
      return {
        isError: result.isError ?? false,
        text,
        json: result.isError ? {} : JSON.parse(text),
      }
    }
    return { client, call }
  }

  it('answers why somebody can’t read, and changes nothing', async () => {
    const { id, uid } = await app.client.grantAccess({ rid: 'winter', email: 'ann@example.com' })
    const { client, call } = await connect('support')
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(10)
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([])
    const ask = () => call('explain_access', { user: 'Ann@example.com', rid: 'winter' })
    expect(await ask()).toMatchObject({ json: { granted: true, code: 'granted', access_id: id } })
    await app.client.revokeAccess({ rid: 'winter', user_ref: uid })
    expect((await ask()).json).toMatchObject({ granted: false, code: 'revoked' })
    expect((await call('search', { q: 'ann@' })).text).toContain(uid)
    expect((await call('get_user', { uid })).text).toContain('ann@example.com')
    expect((await call('list_resources', {})).json).toMatchObject({ data: [{ rid: 'winter' }] })
    for (const [name, given, why] of [
      ['grant_access', { rid: 'winter', email: 'eve@example.com' }, 'no tool grant_access'],
      ['explain_access', { user: 'eve@example.com', rid: 'winter' }, 'No reader has the address'],
      ['explain_access', { rid: 'winter' }, 'user'],
      ['get_user', { uid: 'nobody' }, 'user_not_found'],
      ['search', { q: 'x', more: 1 }, 'more: unknown parameter'],
    ] as const) {
      expect(await call(name, given)).toMatchObject({
        ...{ isError: true, text: expect.stringContaining(why) },
      })
    }
  })

  it('writes with --write, as far as the token may, but never refunds, erases or shows keys', async () => {
    const { client, call } = await connect('support', '--write')
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toContain('grant_access')
    expect(names.filter((name) => /refund|erase|key|token|merge|delete/.test(name))).toEqual([])
    const granted = await call('grant_access', { rid: 'winter', email: 'bea@example.com' })
    expect(granted.json).toMatchObject({ rid: 'winter' })
    expect(await app.client.hasAccess({ rid: 'winter', user_ref: granted.json.uid })).toBe(true)
    const viewer = await connect('reader', '--write')
    expect(
      await viewer.call('grant_access', { rid: 'winter', email: 'bea@example.com' }),
    ).toMatchObject({
      ...{ isError: true, text: expect.stringContaining('not_allowed') },
    })
  })

  it('says what it lacks', async () => {
    const run = (env: Record<string, string>, ...args: string[]) =>
      inProcessCli({ ...service.installation.env, ...env }).run('mcp', '--aid', app.aid, ...args)
    expect(await run({}, '--url', service.url)).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('GATEHOUSE_TOKEN is missing') },
    })
    expect(await run({ GATEHOUSE_TOKEN: 'x' }, '--url', 'nowhere')).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('--url must begin with https://') },
    })
  })
})
