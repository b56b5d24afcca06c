import { expect } from 'vitest'
import type { TestDatabase } from '../databases.ts'
import { callApi, cookieIn, memberAt, PASSWORD, type TestMember } from '../staff.ts'
import { useService } from '../use-service.ts'
import { type TestResponse, withoutRequestId } from './requests.ts'

/** Everything a caller can see of a response, except what differs each time. */
export function seen(response: TestResponse) {
  const { date, ...headers } = response.headers
  return { status: response.status, headers, text: withoutRequestId(response) }
}

/** Runs two services on one database, and signs staff in. */
export function useSignIn(database: TestDatabase) {
  const service = useService(database)
  /** A second process on the same database. */
  const other = useService(database, () => ({ installation: service.installation }))

  const signIn = (email: string, password = PASSWORD, url = service.url) =>
    callApi(url, 'POST', '/sign-in', { body: { email, password } })

  async function enter(email: string): Promise<TestMember> {
    const response = await signIn(email)
    expect(response.status, response.text).toBe(200)
    return memberAt(service.url, (response.json as { staff: TestMember }).staff, cookieIn(response))
  }

  /** Advances both clocks: each service has its own. */
  function pass(seconds: number): void {
    service.clock.advance(seconds)
    other.clock.advance(seconds)
  }
  return { service, other, signIn, enter, pass }
}
