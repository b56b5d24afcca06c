import { beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { newProgram, type TestProgram } from '../../../testing/management.ts'
import { useApplication, useService } from '../../../testing/use-service.ts'

describe.each(databases)('the access check of the management API on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service, { resources: ['news'] })
  let program: TestProgram
  beforeAll(async () => {
    program = await newProgram(service, 'reader')
  })

  const ask = async (query: Record<string, string>) => {
    const text = new URLSearchParams({ rid: 'news', ...query })
    const path = `/production/applications/${app.aid}/access/check?${text}`
    const { status, json } = await program.call('GET', path)
    return { status, json: json as Record<string, unknown> & { error?: Record<string, unknown> } }
  }

  it('finds a reader by a reference, the uid or the address', async () => {
    const email = 'Ann@Example.com'
    const { id, uid } = await app.client.grantAccess({ rid: 'news', user_ref: 'ann', email })
    const granted = { granted: true, code: 'granted', access_id: id, uid }
    for (const name of [{ user_ref: 'ann' }, { uid }, { email }, { email: 'ann@example.com' }]) {
      const { status, json } = await ask(name)
      expect([status, json]).toMatchObject([200, { ...granted, ...name }])
      const names = ['user_ref', 'email'].filter((one) => one in json)
      expect(names).toEqual(Object.keys(name).filter((one) => one !== 'uid'))
    }
  })

  it('finds a reader whose reference is the address, both ways', async () => {
    const email = 'bob@example.com'
    const { uid } = await app.client.grantAccess({ rid: 'news', user_ref: email, email })
    for (const name of [{ user_ref: email }, { email }, { uid }]) {
      expect((await ask(name)).json).toMatchObject({ granted: true, uid })
    }
  })

  it('finds who is left of merged people by the uid and the address of the one who went', async () => {
    const gone = await app.client.grantAccess({ rid: 'news', email: 'old@example.com' })
    const kept = await app.client.grantAccess({
      ...{ rid: 'news', user_ref: 'cleo', email: 'cleo@example.com' },
    })
    const support = await newProgram(service, 'support')
    const path = `/production/applications/${app.aid}/users/${gone.uid}/merge`
    expect((await support.call('POST', path, { into: kept.uid })).status).toBe(200)
    for (const name of [{ uid: gone.uid }, { email: 'old@example.com' }, { uid: kept.uid }]) {
      expect((await ask(name)).json).toMatchObject({ ...name, granted: true, uid: kept.uid })
    }
  })

  it('says of whom nobody has', async () => {
    for (const [name, meaning] of [
      [{ user_ref: 'nobody' }, 'No user has this reference.'],
      [{ uid: 'nobody' }, 'No user has this uid.'],
      [{ uid: 'ann' }, 'No user has this uid.'],
      [{ email: 'nobody@example.com' }, 'No user has this email address.'],
    ] as const) {
      const { json } = await ask(name)
      expect(json).toMatchObject({ granted: false, code: 'user_unknown', meaning })
      expect(json.uid).toBeUndefined()
    }
  })

  it('needs exactly one of the three', async () => {
    const problem = async (query: Record<string, string>) => {
      const { status, json } = await ask(query)
      return [status, json.error?.parameter, json.error?.message]
    }
    expect(await problem({})).toEqual([
      400,
      undefined,
      'One of user_ref, uid and email is required.',
    ])
    const both = "can't be combined with user_ref; send one of user_ref, uid and email"
    expect(await problem({ user_ref: 'a', uid: 'b' })).toEqual([400, 'uid', `uid: ${both}`])
    expect(await problem({ email: 'a@b.c', user_ref: 'a' })).toEqual([
      400,
      'email',
      `email: ${both}`,
    ])
    for (const name of ['user_ref', 'uid', 'email', 'rid']) {
      const rest: Record<string, string> = name === 'rid' ? { uid: 'x' } : {}
      expect(await problem({ ...rest, [name]: '' })).toEqual([
        400,
        name,
        `${name}: must not be empty`,
      ])
    }
    expect(await problem({ email: 'ann' })).toEqual([
      ...[400, 'email', 'email: not a valid email address'],
    ])
  })
})
