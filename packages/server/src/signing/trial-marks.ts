import { signFor } from './links.ts'

const TRIAL_MARK = 'gatehouse trial mark v1'

/** A digest by which an address or a card is known again. Without the environment's key nobody can find
 * out what it is of by trying, and it differs from one resource to the next. */
export function trialMark(key: Buffer, names: readonly string[]): string {
  return signFor(TRIAL_MARK, key, names.map(encodeURIComponent).join(' '))
}
