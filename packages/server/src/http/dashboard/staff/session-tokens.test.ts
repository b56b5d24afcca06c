import { describe, expect, it } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { callApi, cookieIn, PASSWORD } from '../../../testing/staff.ts'
import { useService, useStaff } from '../../../testing/use-service.ts'

describe.each(databases)('the token of a session, on $name', (database) => {
  const service = useService(database)
  const staff = useStaff(service)

  const signIn = async (cookie?: string) => {
    const body = { email: staff.reader.email, password: PASSWORD }
    const response = await callApi(service.url, 'POST', '/sign-in', { body, cookie })
    expect(response.status).toBe(200)
    return cookieIn(response)
  }
  const statusOf = async (cookie: string) =>
    (await callApi(service.url, 'GET', '/me', { cookie })).status

  it('is another one after signing in again in the same browser, and the old one ends', async () => {
    const elsewhere = await signIn()
    const first = await signIn()
    const second = await signIn(first)
    expect(second).not.toBe(first)
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200])
    expect(await statusOf(elsewhere)).toBe(200)
  })

  it('ends when its member signs in for the 20th time elsewhere', async () => {
    service.clock.advance(1)
    const oldest = await signIn()
    const more: string[] = []
    for (let i = 0; i < 20; i++) {
      service.clock.advance(1)
      if (i === 19) expect(await statusOf(oldest)).toBe(200)
      more.push(await signIn())
    }
    const statuses = await Promise.all(more.map(statusOf))
    expect([await statusOf(oldest), ...new Set(statuses)]).toEqual([401, 200])
  })

  it('is another one after the password was confirmed, and the old one ends', async () => {
    const before = await signIn()
    const body = { password: PASSWORD }
    const confirmed = await callApi(service.url, 'POST', '/confirmation', { body, cookie: before })
    expect(confirmed.status).toBe(204)
    const after = cookieIn(confirmed)
    expect([await statusOf(before), await statusOf(after)]).toEqual([401, 200])
  })

  it('is another one after a new password, and the old one ends', async () => {
    const before = await signIn()
    const body = { current: PASSWORD, next: `${PASSWORD} staple` }
    const changed = await callApi(service.url, 'POST', '/password', { body, cookie: before })
    expect(changed.status).toBeLessThan(300)
    const after = cookieIn(changed)
    expect([await statusOf(before), await statusOf(after)]).toEqual([401, 200])
  })
})
