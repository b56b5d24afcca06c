import { beforeEach, describe, expect, it } from 'vitest'
import { updateRows } from '../../../db/queries/rows.ts'
import { storeAskedLink } from '../../../domain/staff/asked-links.ts'
import { newSecret } from '../../../ids.ts'
import { createAuthenticator } from '../../../testing/browser/authenticator.ts'
import { inProcessCli } from '../../../testing/cli.ts'
import { databases } from '../../../testing/databases.ts'
import {
  type ApiResponse,
  callApi,
  cookieIn,
  newOwner,
  PASSWORD,
  registerPasskey,
  type TestMember,
} from '../../../testing/staff.ts'
import { useFreshService } from '../../../testing/use-service.ts'

const HOST = 'gate.example'
const NEEDED = { error: { code: 'passkey_required' } }

describe.each(databases)('a passkey for another host name, on $name', (database) => {
  const env = { GATEHOUSE_BASE_URL: `https://${HOST}` }
  const service = useFreshService(database, { env })
  let owner: TestMember

  beforeEach(async () => {
    owner = await newOwner(service)
  })

  /** Calls the API as a browser does at the configured address, or at another host name. */
  const callAt = (host: string, method: string, path: string, body?: unknown, cookie?: string) =>
    callApi(service.url, method, path, { body, cookie, headers: { host } })
  const signInAt = (host: string) =>
    callAt(host, 'POST', '/sign-in', { email: owner.email, password: PASSWORD })

  /** The owner at the configured address, signed in with the password. */
  async function ownerAtHome(): Promise<TestMember> {
    const cookie = cookieIn(await signInAt(HOST))
    const call: TestMember['call'] = (method, path, body) =>
      callAt(HOST, method, path, body, cookie)
    return { ...owner, cookie, call }
  }

  const addLocally = async () => {
    const added = await registerPasskey(owner, createAuthenticator(service.url))
    expect(added.status).toBe(200)
  }
  const addAtHome = async () => {
    const member = await ownerAtHome()
    const key = createAuthenticator(`https://${HOST}`)
    expect((await registerPasskey(member, key)).status).toBe(200)
    return { member, key }
  }
  const passkeyOnly = ({ json }: ApiResponse) => (json as { passkey_only: string }).passkey_only
  const doctor = async () => {
    const { stdout } = await inProcessCli({ ...service.installation.env, ...env }).run('doctor')
    return stdout.split('\n').filter((line) => /^\w+ +passkeys /.test(line))
  }

  it('refuses nobody the password at the configured address, and doctor says so', async () => {
    await addLocally()
    const signedIn = await signInAt(HOST)
    expect(signedIn.status).toBe(200)
    const cookie = cookieIn(signedIn)
    expect(passkeyOnly(await callAt(HOST, 'GET', '/me', undefined, cookie))).toBe('no')
    const password = { password: PASSWORD }
    expect((await callAt(HOST, 'POST', '/confirmation', password, cookie)).status).toBe(204)
    expect(await doctor()).toEqual([expect.stringMatching(/^warning .*owner@example\.com/)])
    // Where it was made, it counts.
    expect((await signInAt('127.0.0.1')).json).toMatchObject(NEEDED)
    await addAtHome()
    expect((await signInAt(HOST)).json).toMatchObject(NEEDED)
    expect(await doctor()).toEqual([])
  })

  it('is not asked for by a link that somebody asked for, which keeps it', async () => {
    await addLocally()
    const token = newSecret()
    const now = service.ctx.environments.production.realTime()
    await service.ctx.control.write((trx) =>
      storeAskedLink(trx, owner, { token, askedAt: now }, now),
    )
    const look = async (host: string) => (await callAt(host, 'POST', '/link/look', { token })).json
    expect(await look(HOST)).toMatchObject({ needs_passkey: false, removes_passkeys: false })
    expect(await look('127.0.0.1')).toMatchObject({ needs_passkey: true })
    const use = { token, name: 'Any', password: 'a password that is new' }
    expect((await callAt('127.0.0.1', 'POST', '/link/use', use)).json).toMatchObject(NEEDED)
    expect((await callAt(HOST, 'POST', '/link/use', use)).status).toBe(200)
    const kept = service.ctx.control.read.selectFrom('staff_passkeys').select('host')
    expect(await kept.execute()).toEqual([{ host: '127.0.0.1' }])
  })

  it('can’t be escaped by naming another host than the one of the passkey', async () => {
    const { member } = await addAtHome()
    for (const host of [HOST, 'localhost', '127.0.0.1:8080', '[::1]']) {
      expect([host, (await signInAt(host)).json]).toMatchObject([host, NEEDED])
    }
    const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }
    for (const host of ['other.example', 'localhost']) {
      const body = { email: owner.email, password: PASSWORD }
      const headers = { host, ...proxied }
      const response = await callApi(service.url, 'POST', '/sign-in', { body, headers })
      expect([host, response.json]).toMatchObject([host, NEEDED])
    }
    expect(passkeyOnly(await member.call('GET', '/me'))).toBe('required')
  })

  it('counts if its host is unknown, until it is used', async () => {
    const { key } = await addAtHome()
    const rows = () =>
      service.ctx.control.read.selectFrom('staff_passkeys').select('host').execute()
    await service.ctx.control.write((trx) =>
      updateRows(trx, 'staff_passkeys', { staff_id: owner.id }, { host: '' }),
    )
    expect((await signInAt(HOST)).json).toMatchObject(NEEDED)
    const challenge = (await callAt(HOST, 'POST', '/passkeys/sign-in/options')).json
    const response = key.show(challenge)
    expect((await callAt(HOST, 'POST', '/passkeys/sign-in', { response })).status).toBe(200)
    expect(await rows()).toEqual([{ host: HOST }])
  })
})

describe.each(databases)('without a configured address, on $name', (database) => {
  const service = useFreshService(database)

  it('all passkeys count, whatever host the browser names', async () => {
    const owner = await newOwner(service)
    await registerPasskey(owner, createAuthenticator(service.url))
    const body = { email: owner.email, password: PASSWORD }
    for (const host of ['localhost', '127.0.0.1', '[::1]:8080']) {
      const response = await callApi(service.url, 'POST', '/sign-in', { body, headers: { host } })
      expect([host, response.json]).toMatchObject([host, NEEDED])
    }
  })
})
