import { signForPurpose } from './links.ts'

const TRIAL_DIGEST = 'gatehouse trial mark v1'

/** A digest that recognizes an email address or card. Without the environment's key it can't be found by guessing,
 * and it differs for each resource. */
export function trialDigest(key: Buffer, names: readonly string[]): string {
  return signForPurpose(TRIAL_DIGEST, key, names.map(encodeURIComponent).join(' '))
}
