import { createHmac, timingSafeEqual } from 'node:crypto'
import { newSecret } from '../../ids.ts'
import { digestOf } from './tokens.ts'

/** Browsers in which a staff member has signed in before. Their wrong passwords are counted separately, so
 * that strangers who guess passwords can't lock the member out of them. */
export interface Devices {
  /** Creates the cookie that identifies the browser. It grants nothing; the password is still required. */
  issue(staffId: string): string
  /** Returns the subject for counting wrong passwords from this browser, or undefined if the member has not
   * signed in there. Takes equally long for a member who does not exist. */
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
