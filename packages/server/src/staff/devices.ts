import { createHmac, timingSafeEqual } from 'node:crypto'
import { newSecret } from '../ids.ts'
import { digestOf } from './tokens.ts'

/** Browsers in which a member of the staff has signed in before. Their wrong passwords are counted apart, so
 * that strangers who guess at an account can't lock its owner out of them. */
export interface Devices {
  /** The cookie that lets the browser be recognized. It opens nothing: a password is still asked for. */
  issue(staffId: string): string
  /** The subject that wrong passwords from this browser are counted by; undefined for a browser in which this
   * member has not signed in. Takes as long for a member that there is not. */
  subjectOf(cookie: string, staffId: string | undefined): string | undefined
}

export function createDevices(secret: Buffer): Devices {
  const macOf = (id: string, staffId: string) =>
    createHmac('sha256', secret).update(`device ${id} ${staffId}`).digest('base64url')
  return {
    issue(staffId) {
      const id = newSecret()
      return `${id}.${macOf(id, staffId)}`
    },
    subjectOf(cookie, staffId) {
      const [id = '', mac = ''] = cookie.split('.')
      const given = Buffer.from(mac)
      const expected = Buffer.from(macOf(id, staffId ?? ''))
      const isRight = given.length === expected.length && timingSafeEqual(given, expected)
      return isRight && staffId !== undefined ? `device ${digestOf(id)}` : undefined
    },
  }
}
