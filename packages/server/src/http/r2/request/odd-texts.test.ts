import { describe, expect, it } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { startTestService, type TestApplication } from '../../../testing/service.ts'

describe('texts that databases stumble over', () => {
  const TEXTS = [
    ...["'", "''", '"', '\\', "\\'", '\\\\', '`', '%', '_', '*', '?', '$1', ':a', '#'],
    ...["';drop/**/table/**/users;--", "'or'1'='1", '/*', 'null', '0', '\\0', '\\u0000', "E'\\n'"],
    ...[
      'é',
      'e\u0301',
      'ß',
      'İ',
      'ﬁ',
      '日本',
      '👩‍👩‍👧',
      '\u200b',
      '\ufffd',
      '\uffff',
      '\u{10ffff}',
    ],
    ...['\ud7ff', '\ue000', 'a'.repeat(255), '🔑'.repeat(255), '<script>', '../..'],
  ]
  const CONTROLS = ['\0', '\x01', '\x08', '\t', '\n', '\r', '\x1b', '\x7f', '\x80', '\x85', '\x9f']

  /** The response without the ids that the service generates. */
  async function said(work: Promise<unknown>): Promise<unknown> {
    const result = await work.catch(({ status, message }) => ({ status, message }))
    return JSON.parse(JSON.stringify(result, (key, v) => (/^(id|aid|uid)$/.test(key) ? key : v)))
  }

  async function saidOfText(app: TestApplication, text: string, email: string) {
    const { client } = app
    await app.addResource(text)
    const tag = [...text].slice(0, 100).join('')
    const names = { first_name: text, last_name: text, message: text }
    const grant = { rid: text, user_ref: text, email, tags: tag, ...names }
    const granted = await client.grantAccess(grant)
    expect(granted).toMatchObject({ rid: text, user_ref: text, tags: [tag] })
    const only = { data: [granted], total: 1 }
    expect(await client.searchAccess({ user_ref: text })).toMatchObject(only)
    return await Promise.all([
      said(Promise.resolve(granted)),
      said(client.getUser(granted.uid)),
      said(client.getUser(text.slice(0, 20))),
      said(client.getAccess({ rid: text, user_ref: text })),
      said(client.searchAccess({ rid: text })),
      said(client.searchAccess({ tag })),
      said(client.searchAccess({ email: `${text}@a.b` })),
      said(client.revokeAccess({ rid: text, user_ref: `${text}'` })),
    ])
  }

  async function saidOfControl({ client }: TestApplication, control: string) {
    const bad = `a${control}b`
    const grant = { rid: '0', email: 'c@example.com' }
    const grants = [{ first_name: bad }, { last_name: bad }, { tags: bad }, { user_ref: bad }]
    const searches = [{ rid: bad }, { user_ref: bad }, { email: bad }, { tag: bad }]
    return await Promise.all([
      ...grants.map((one) => said(client.grantAccess({ ...grant, ...one }))),
      ...searches.map((one) => said(client.searchAccess(one))),
      said(client.getUser(bad)),
    ])
  }

  async function transcript(app: TestApplication): Promise<unknown[]> {
    const all: unknown[] = []
    for (const [i, text] of TEXTS.entries()) {
      all.push(...(await saidOfText(app, text, `p${i}@example.com`)))
    }
    for (const control of CONTROLS) {
      const answers = await saidOfControl(app, control)
      for (const one of answers) expect([400, 404]).toContain((one as { status: number }).status)
      all.push(...answers)
    }
    return all
  }

  it('are kept as they are, and answered alike by both databases', async () => {
    const [sqlite = [], postgres = []] = await Promise.all(
      databases.map(async (database) => {
        const service = await startTestService(database)
        const all = await transcript(await service.newApplication())
        await service.requireInvariants()
        await service.stop()
        return all
      }),
    )
    expect(postgres.length).toBe(sqlite.length)
    // Compared one by one: a diff of the whole would be very long.
    for (const [i, one] of sqlite.entries()) expect(postgres[i]).toEqual(one)
    const refused = JSON.stringify(sqlite).match(/"status":\d+/g)
    expect(new Set(refused)).toEqual(new Set(['"status":400', '"status":404']))
  }, 120_000)
})
