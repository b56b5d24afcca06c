import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ControlDatabase } from '../../db/database.ts'
import { insertIfAbsent } from '../../db/queries/rows.ts'
import type { Millis } from '../../db/tables.ts'
import type { ControlTrx } from './staff.ts'
import { digestOf } from './tokens.ts'

const CHALLENGE_LIFE: Millis = 5 * 60_000

/** Stores the challenge for a signed-in member who registers a passkey. */
export async function addChallenge(
  control: ControlDatabase,
  challenge: string,
  staffId: string,
  now: Millis,
): Promise<void> {
  await control.write(async (trx) => {
    await trx.deleteFrom('staff_challenges').where('ends_at', '<=', now).execute()
    await trx
      .insertInto('staff_challenges')
      .values({ digest: digestOf(challenge), staff_id: staffId, ends_at: now + CHALLENGE_LIFE })
      .execute()
  })
}

/** Consumes a challenge. Returns true only once, and only for its member. */
export async function consumeChallenge(
  control: ControlDatabase,
  challenge: string,
  staffId: string,
  now: Millis,
): Promise<boolean> {
  const taken = await control.write((trx) =>
    trx
      .deleteFrom('staff_challenges')
      .where('digest', '=', digestOf(challenge))
      .where('ends_at', '>', now)
      .where('staff_id', '=', staffId)
      .returning('digest')
      .execute(),
  )
  return taken.length > 0
}

const RANDOM_BYTES = 16
const HEAD_BYTES = RANDOM_BYTES + 8

const macOf = (secret: Buffer, head: Buffer) =>
  createHmac('sha256', secret).update('sign-in challenge ').update(head).digest()

/**
 * Creates a challenge for a passkey sign-in: random bytes, the expiry time, and our MAC of both. Nothing is
 * stored, so anyone may request any number of them without keeping staff from signing in.
 */
export function newSignInChallenge(secret: Buffer, now: Millis): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(HEAD_BYTES)
  randomBytes(RANDOM_BYTES).copy(head)
  head.writeBigUInt64BE(BigInt(now + CHALLENGE_LIFE), RANDOM_BYTES)
  return new Uint8Array(Buffer.concat([head, macOf(secret, head)]))
}

/** Returns when a challenge of ours expires, or undefined if it is not ours or has expired. */
export function findSignInChallengeExpiry(
  secret: Buffer,
  challenge: string,
  now: Millis,
): Millis | undefined {
  const bytes = Buffer.from(challenge, 'base64url')
  const head = bytes.subarray(0, HEAD_BYTES)
  const given = bytes.subarray(HEAD_BYTES)
  const expected = macOf(secret, head)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const ends = Number(head.readBigUInt64BE(RANDOM_BYTES))
  return ends > now ? ends : undefined
}

/** Marks a challenge as used, in the transaction that signs the member in. Returns false if it was used
 * before. The mark is kept until the challenge expires. */
export async function consumeSignInChallenge(
  trx: ControlTrx,
  challenge: string,
  ends: Millis,
  now: Millis,
): Promise<boolean> {
  await trx.deleteFrom('staff_challenges').where('ends_at', '<=', now).execute()
  // Decoded first, because several texts decode to the same bytes.
  const digest = digestOf(Buffer.from(challenge, 'base64url').toString('base64url'))
  const row = { digest, staff_id: null, ends_at: ends }
  return await insertIfAbsent(trx, 'staff_challenges', row, ['digest'])
}
