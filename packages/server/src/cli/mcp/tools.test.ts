import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entryPointDatabases } from '../../testing/databases.ts'
import { newProgram } from '../../testing/management.ts'
import { ODD_REFERENCES, ODD_RIDS } from '../../testing/odd-names.ts'
import { MONTHLY } from '../../testing/payments/shop.ts'
import { useService, useShop, useSmtp } from '../../testing/use-service.ts'

const COMMAND = fileURLToPath(new URL('../../../bin/gatehouse.mjs', import.meta.url))

type Hints = [readOnly: boolean, destructive: boolean, idempotent: boolean]
const READS: Hints = [true, false, true]
const ADDS: Hints = [false, false, false]
const CREATES: Hints = [false, false, true]
const CHANGES: Hints = [false, true, true]

interface Answer {
  isError?: boolean
  content: { text: string }[]
  structuredContent?: Record<string, unknown>
}

/** The ids that the tools are called with. */
type Ids = Record<'uid' | 'access' | 'payment' | 'subscription' | 'email', string>

/** A call of every tool, in an order in which each succeeds. */
const CALLS: Record<string, (ids: Ids) => [hints: Hints, input: Record<string, unknown>]> = {
  explain_access: () => [READS, { user: 'ann', rid: 'winter' }],
  search: () => [READS, { q: 'ann' }],
  list_users: () => [READS, { q: 'ann', page: 0, pagesize: 1 }],
  get_user: ({ uid }) => [READS, { uid }],
  list_timeline: ({ uid }) => [READS, { uid }],
  list_access: ({ uid }) => [READS, { uid, state: 'any' }],
  get_access: ({ access }) => [READS, { id: access }],
  list_payments: () => [READS, { rid: 'winter' }],
  get_payment: ({ payment }) => [READS, { id: payment }],
  list_subscriptions: ({ uid }) => [READS, { uid }],
  get_subscription: ({ subscription }) => [READS, { id: subscription }],
  list_resources: () => [READS, {}],
  get_resource: () => [READS, { rid: 'winter' }],
  list_emails: ({ uid }) => [READS, { uid }],
  grant_access: () => [CHANGES, { rid: 'winter', email: 'bea@example.com' }],
  extend_access: ({ access }) => [CHANGES, { id: access, expires: null }],
  cancel_subscription: ({ subscription }) => [CHANGES, { id: subscription }],
  resume_subscription: ({ subscription }) => [CHANGES, { id: subscription }],
  revoke_access: ({ access }) => [CHANGES, { id: access }],
  create_resource: () => [CREATES, { rid: 'spring', name: 'Spring' }],
  update_resource: () => [CHANGES, { rid: 'spring', description: 'With flowers.' }],
  add_note: ({ uid }) => [ADDS, { uid, text: 'Called.' }],
  resend_email: ({ email }) => [ADDS, { id: email }],
}

describe.each(entryPointDatabases)('the tools of gatehouse mcp on $name', (database) => {
  const smtp = useSmtp()
  const service = useService(database, () => ({
    useRealTime: true,
    env: { GATEHOUSE_SANDBOX_SMTP_URL: `smtp://127.0.0.1:${smtp.port}` },
  }))
  const shop = useShop(service, 'winter')
  const client = new Client({ name: 'test', version: '1' })
  let tools: Tool[]
  let ids: Ids
  beforeAll(async () => {
    await shop.buy({
      ...{ rid: 'winter', userRef: 'ann', vouchedEmail: 'ann@example.com', terms: MONTHLY },
    })
    const { token } = await newProgram(service, 'support')
    const more = ['--aid', shop.aid, '--env', 'sandbox', '--write']
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [COMMAND, 'mcp', '--url', service.url, ...more],
        env: { PATH: process.env.PATH ?? '', GATEHOUSE_TOKEN: token },
      }),
    )
    tools = (await client.listTools()).tools
    const { uid } = (await first('list_users')) as { uid: string }
    const idOf = async (name: string) => (await first(name, { uid })).id as string
    ids = {
      uid,
      access: await idOf('list_access'),
      payment: await idOf('list_payments'),
      subscription: await idOf('list_subscriptions'),
      email: await idOf('list_emails'),
    }
  })
  afterAll(() => client.close())

  /** The client of the official package checks a result against the schema of the tool. */
  const call = async (name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })) as unknown as Answer

  async function first(name: string, input: Record<string, unknown> = {}) {
    const { data } = (await call(name, input)).structuredContent as { data: object[] }
    return data[0] as Record<string, unknown>
  }

  it('are all called here, and each says what it does to the data', () => {
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(CALLS).sort())
    for (const { name, annotations } of tools) {
      const { readOnlyHint, destructiveHint, idempotentHint } = annotations ?? {}
      const hints = [readOnlyHint, destructiveHint, idempotentHint]
      expect([name, hints]).toEqual([name, CALLS[name]?.(ids)[0]])
    }
  })

  it('say what they return, in a schema that stands alone', () => {
    for (const { name, outputSchema } of tools) {
      expect([name, outputSchema?.type]).toEqual([name, 'object'])
      const shape = Object.keys(outputSchema?.properties ?? outputSchema?.anyOf ?? {})
      expect([name, shape]).not.toEqual([name, []])
      const text = JSON.stringify(outputSchema)
      expect(text).not.toContain('#/components')
      for (const [, used = ''] of text.matchAll(/"#\/\$defs\/(\w+)"/g)) {
        expect([name, Object.keys((outputSchema?.$defs ?? {}) as object)]).toEqual([
          name,
          expect.arrayContaining([used]),
        ])
      }
    }
    // An assistant may have to read all of it before its first question.
    expect(JSON.stringify(tools).length).toBeLessThan(60_000)
  })

  it('return that, and the same as text', async () => {
    for (const [name, toCall] of Object.entries(CALLS)) {
      const result = await call(name, toCall(ids)[1])
      const text = result.content[0]?.text ?? ''
      expect([name, result.isError ?? false, text]).toEqual([name, false, text])
      expect([name, JSON.parse(text)]).toEqual([name, result.structuredContent])
    }
  })

  it('return no structure with an error', async () => {
    const missing = await call('get_user', { uid: 'nobody' })
    expect(missing).toMatchObject({ isError: true })
    expect(missing.structuredContent).toBeUndefined()
  })

  it('explain access however the reader is named', async () => {
    const explain = async (user: string) => {
      const { isError, content, structuredContent } = await call('explain_access', {
        ...{ user, rid: 'winter' },
      })
      return isError ? content[0]?.text : structuredContent
    }
    const grant = (user_ref: string, email: string) =>
      shop.client.grantAccess({ rid: 'winter', user_ref, email })
    const { uid } = await grant('cleo', 'Cleo@example.com')
    for (const name of ['cleo', 'cleo@example.com', ' Cleo@example.com ', uid]) {
      expect(await explain(name)).toMatchObject({ granted: true, uid })
    }
    for (const [i, reference] of ODD_REFERENCES.entries()) {
      const odd = await grant(reference, `odd-${i}@example.com`)
      expect([reference, await explain(reference)]).toMatchObject([reference, { uid: odd.uid }])
    }
    const same = await grant('dan@example.com', 'dan@example.com')
    expect(await explain('dan@example.com')).toMatchObject({ granted: true, uid: same.uid })
    expect(await explain('eve@')).toBe('No reader has the address, reference or uid eve@.')
    const one = await grant('fay@example.com', 'gil@example.com')
    const other = await grant('fay', 'fay@example.com')
    const both = await explain('fay@example.com')
    for (const part of [one.uid, other.uid, 'Ask again with the uid']) expect(both).toContain(part)
  })

  it('take any rid', async () => {
    for (const rid of ODD_RIDS) {
      const input = { rid, name: 'Odd' }
      expect((await call('create_resource', input)).structuredContent).toMatchObject(input)
      const changed = await call('update_resource', { rid, name: 'Changed' })
      expect(changed.structuredContent).toMatchObject({ rid, name: 'Changed' })
      expect((await call('get_resource', { rid })).structuredContent).toEqual(
        changed.structuredContent,
      )
      const check = await call('explain_access', { user: 'ann', rid })
      expect(check.structuredContent).toMatchObject({ rid, code: 'never_granted' })
    }
  })
})
