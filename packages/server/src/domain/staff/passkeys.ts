import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Selectable } from 'kysely'
import type { ControlDatabase } from '../../db/database.ts'
import { insertIfAbsent } from '../../db/queries/rows.ts'
import type { Millis, StaffPasskeyTable } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { recordAudit } from './audit.ts'
import {
  addChallenge,
  consumeChallenge,
  consumeSignInChallenge,
  findSignInChallengeExpiry,
  newSignInChallenge,
} from './challenges.ts'
import { requireName } from './fields.ts'
import { type ListedPasskey, selectPasskeys } from './own-passkeys.ts'
import { countPasskeys, type PasskeyHosts } from './passkey-only.ts'
import { enqueueSecurityMail } from './security-mails.ts'
import {
  beginSession,
  confirmSession,
  endSessions,
  requireSession,
  type SignedInStaff,
} from './sessions.ts'
import {
  type ControlDb,
  type ControlTrx,
  lockStaff,
  type StaffMember,
  toStaffMember,
} from './staff.ts'
import { endWeakerSessions } from './weaker-sessions.ts'

/** The site the browser is on. A passkey is bound to its host name. */
export interface Site {
  hostname: string
  origins: readonly string[]
}

const MAX_PASSKEYS = 20

/** Loaded on first use, because it is large. */
const webauthn = () => import('@simplewebauthn/server')

export async function createPasskeyRegistrationOptions(
  control: ControlDatabase,
  site: Site,
  staff: StaffMember,
  now: Millis,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const known = await selectPasskeys(control.read, staff.id).execute()
  if (known.length >= MAX_PASSKEYS) throw fail('passkey_refused', 'You already have 20 passkeys.')
  const options = await (await webauthn()).generateRegistrationOptions({
    rpName: 'Gatehouse',
    rpID: site.hostname,
    userName: staff.email,
    userDisplayName: staff.name,
    userID: new TextEncoder().encode(staff.id),
    // Discoverable without entering an email, and useless to someone who only holds the device.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map((one) => ({
      id: one.credential_id,
      transports: JSON.parse(one.transports) as string[],
    })),
  })
  await addChallenge(control, options.challenge, staff.id, now)
  return options
}

export async function addPasskey(
  control: ControlDatabase,
  site: Site,
  { staff, sessionId }: SignedInStaff,
  input: { name: string; response: unknown; hosts: PasskeyHosts },
  now: Millis,
): Promise<ListedPasskey> {
  const name = requireName(input.name)
  const challenge = challengeIn(input.response)
  if (!(await consumeChallenge(control, challenge, staff.id, now))) throw fail('passkey_refused')
  const found = await verified(async () =>
    (await webauthn()).verifyRegistrationResponse({
      response: input.response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: [...site.origins],
      expectedRPID: site.hostname,
    }),
  )
  const credential = found?.registrationInfo?.credential
  if (!credential) throw fail('passkey_refused')
  const row = {
    id: newId(),
    credential_id: credential.id,
    staff_id: staff.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: JSON.stringify(credential.transports ?? []),
    ...{ name, host: site.hostname, created_at: now, used_at: null },
  }
  const where = { hosts: input.hosts, spared: sessionId }
  const isAdded = await control.write((trx) => storePasskey(trx, row, where, now))
  if (!isAdded) throw fail('passkey_refused')
  return { id: row.id, name, created_at: now, used_at: null }
}

/** Returns false if there is a passkey with this id. */
async function storePasskey(
  trx: ControlTrx,
  row: Selectable<StaffPasskeyTable>,
  where: { hosts: PasskeyHosts; spared: string },
  now: Millis,
): Promise<boolean> {
  const { staff_id } = row
  await lockStaff(trx)
  // A reset ends all sessions, so a passkey registration begun before it fails here.
  await requireSession(trx, staff_id, where.spared)
  const isFirst = (await countPasskeys(trx, staff_id, undefined)) === 0
  const isAdded = await endWeakerSessions(trx, where, () =>
    insertIfAbsent(trx, 'staff_passkeys', row, ['credential_id']),
  )
  if (!isAdded) return false
  // A member may add the first passkey because somebody else knows the password.
  if (isFirst) await endSessions(trx, staff_id, where.spared)
  await enqueueSecurityMail(trx, staff_id, 'passkey_added', now)
  return true
}

/** Extracts the challenge from the browser's response; empty if it can't be read. */
function challengeIn(response: unknown): string {
  try {
    const { clientDataJSON } = (response as RegistrationResponseJSON).response
    const text = Buffer.from(clientDataJSON, 'base64url').toString()
    return String((JSON.parse(text) as { challenge: unknown }).challenge)
  } catch {
    return ''
  }
}

/** The package throws on any mismatch; all of these count as one refusal. */
async function verified<T extends { verified: boolean }>(
  verify: () => Promise<T>,
): Promise<T | undefined> {
  try {
    const found = await verify()
    return found.verified ? found : undefined
  } catch {
    return undefined
  }
}

/** Anyone may call this as often as they like: nothing is stored. */
export async function createPasskeyChallenge(
  site: Site,
  secret: Buffer,
  now: Millis,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return await (await webauthn()).generateAuthenticationOptions({
    rpID: site.hostname,
    challenge: newSignInChallenge(secret, now),
    userVerification: 'required',
  })
}

export interface PasskeyAttempt {
  response: unknown
  /** The secret that authenticates challenges. */
  secret: Buffer
}

/** `token` is undefined if the sign-in fails, `staff` if the passkey is unknown. Failures are not counted: a
 * signature can't be guessed, and wrong ones must not lock anyone out. */
export async function signInWithPasskey(
  control: ControlDatabase,
  site: Site,
  attempt: PasskeyAttempt & { agent: string },
  now: Millis,
): Promise<{ staff: StaffMember | undefined; token: string | undefined }> {
  const { staff, used } = await verifyPasskey(control, site, attempt, now)
  if (!staff || !used) return { staff, token: undefined }
  const token = await control.write(async (trx) => {
    if (!(await consumePasskeyUse(trx, used, now))) return undefined
    const token = await beginSession(trx, staff.id, attempt.agent, now)
    await recordAudit(trx, { staff, action: 'session.begin_with_passkey' }, 'done', now)
    return token
  })
  return { staff, token }
}

/** Confirms a session with a passkey of its member. Returns a new token for the session. */
export async function confirmWithPasskey(
  control: ControlDatabase,
  site: Site,
  member: SignedInStaff,
  attempt: PasskeyAttempt,
  now: Millis,
): Promise<string> {
  const { staff, used } = await verifyPasskey(control, site, attempt, now)
  if (!used || staff?.id !== member.staff.id) throw fail('passkey_refused')
  return await control.write(async (trx) => {
    if (!(await consumePasskeyUse(trx, used, now))) throw fail('passkey_refused')
    return await confirmSession(trx, { staffId: staff.id, sessionId: member.sessionId }, now)
  })
}

/** `staff` is undefined if the passkey is unknown, `used` if its response is not valid. */
export async function verifyPasskey(
  control: ControlDatabase,
  site: Site,
  { response, secret }: PasskeyAttempt,
  now: Millis,
): Promise<{ staff?: StaffMember; used?: UsedPasskey }> {
  const given = response as AuthenticationResponseJSON
  const key = await findPasskey(control.read, String(given.id))
  if (!key) return {}
  const staff = toStaffMember(key)
  const challenge = challengeIn(given)
  const ends = findSignInChallengeExpiry(secret, challenge, now)
  if (ends === undefined) return { staff }
  const found = await verified(async () =>
    (await webauthn()).verifyAuthenticationResponse({
      response: given,
      expectedChallenge: challenge,
      expectedOrigin: [...site.origins],
      expectedRPID: site.hostname,
      credential: {
        id: key.credential_id,
        publicKey: new Uint8Array(Buffer.from(key.public_key, 'base64url')),
        counter: key.counter,
      },
    }),
  )
  if (!found) return { staff }
  const counter = found.authenticationInfo.newCounter
  return { staff, used: { id: key.passkey_id, counter, host: site.hostname, challenge, ends } }
}

export interface UsedPasskey {
  id: string
  counter: number
  /** The host name under which it has just worked. */
  host: string
  challenge: string
  /** When the challenge expires. */
  ends: Millis
}

/** Checks again inside the transaction: returns false if the passkey has been removed, its owner disabled, or the
 * challenge used in the meantime. */
export async function consumePasskeyUse(
  trx: ControlTrx,
  { id, counter, host, challenge, ends }: UsedPasskey,
  now: Millis,
): Promise<boolean> {
  await lockStaff(trx)
  if (!(await consumeSignInChallenge(trx, challenge, ends, now))) return false
  const key = await trx
    .updateTable('staff_passkeys')
    .set({ counter, host, used_at: now })
    .where('id', '=', id)
    .where('staff_id', 'in', (eb) =>
      eb.selectFrom('staff').select('id').where('disabled_at', 'is', null),
    )
    .returning('staff_id')
    .executeTakeFirst()
  return key !== undefined
}

async function findPasskey(db: ControlDb, credentialId: string) {
  return await db
    .selectFrom('staff_passkeys as passkey')
    .innerJoin('staff', 'staff.id', 'passkey.staff_id')
    .selectAll('staff')
    .select(['passkey.id as passkey_id', 'credential_id', 'public_key', 'counter'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
}
