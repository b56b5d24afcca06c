import { Type } from 'typebox'
import type { EnvironmentName } from '../../context.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import type { LinkKind } from '../../staff/links.ts'
import type { Role, StaffMember } from '../../staff/staff.ts'
import { paging } from './shapes.ts'

/** Who is signed in, and what there is to work on: GET /me. */
export interface Me {
  staff: StaffMember
  environments: EnvironmentOfMe[]
  /** Why the installation sends nothing out, in words; null unless it is on hold. */
  hold: { since: Millis; why: string } | null
  /** Whether it is a copy without a payment provider and a mail server. */
  detached: boolean
  /** Of Gatehouse. */
  version: string
}

export interface EnvironmentOfMe {
  name: EnvironmentName
  /** Mails are sent, or only kept because no server is set. */
  delivery: 'queued' | 'kept'
  /** Its business time, and how far that is ahead of real time. */
  time: Seconds
  clock_offset: Seconds
  /** Its public address. */
  address: string
  applications: { aid: string; name: string; currency: string; archived: boolean }[]
}

/** What a link is good for: POST /link/look. */
export interface Link {
  kind: LinkKind
  /** Whose it is; null for a set-up link, whose user types the address. */
  email: string | null
  role: Role
  name: string
}

/** The new member or the one whose password was set: POST /sign-in, /link/use, /passkeys/sign-in. */
export interface SignedIn {
  staff: StaffMember
}

/** A place where somebody is signed in: GET /sessions. */
export interface Session {
  id: string
  created_at: Millis
  seen_at: Millis
  ends_at: Millis
  /** What the browser called itself. */
  agent: string
  /** The one that asks. */
  current: boolean
}

/** GET /passkeys. */
export interface Passkey {
  id: string
  name: string
  created_at: Millis
  used_at: Millis | null
}

/** GET /team. */
export interface TeamMember extends StaffMember {
  created_at: Millis
  disabled_at: Millis | null
  /** When the member last did something, as far as it is known. */
  seen_at: Millis | null
  has_password: boolean
  passkeys: number
}

/** Somebody who was asked to join and has not come yet: GET /team. */
export interface Invitation {
  email: string
  role: Role
  ends_at: Millis
}

export interface Team {
  members: TeamMember[]
  invitations: Invitation[]
}

/** Shown once: POST /team/invite, /team/:id/reset. */
export interface NewLink {
  link: string
  ends_at: Millis
}

/** GET /audit, newest first. */
export interface AuditEntry {
  seq: number
  at: Millis
  /** Null where the command line did it. */
  staff_id: string | null
  email: string
  environment: EnvironmentName | null
  aid: string | null
  action: string
  /** The parts of the address that name something. */
  params: Record<string, string>
  details: Record<string, string | number | boolean>
  /** `done`, `begun` if it is not known how it ended, `cut_off` if a file was not taken to its end, or the
   * code of the failure. */
  outcome: string
}

const role = Type.Union([
  Type.Literal('owner'),
  Type.Literal('developer'),
  Type.Literal('support'),
  Type.Literal('reader'),
])

const typedEmail = Type.String({ minLength: 1, maxLength: 254 })
const typedName = Type.String({ minLength: 1, maxLength: 100 })
const typedPassword = Type.String({ minLength: 1, maxLength: 1_000 })
const token = Type.String({ minLength: 1, maxLength: 200 })

export const credentials = Type.Object({ email: typedEmail, password: typedPassword })
export const lookedLink = Type.Object({ token })
/** `email` is for a set-up link alone, which has none of its own. */
export const usedLink = Type.Object({
  token,
  email: Type.Optional(typedEmail),
  name: typedName,
  password: typedPassword,
})
export const newPassword = Type.Object({ current: typedPassword, next: typedPassword })
export const newName = Type.Object({ name: typedName })
export const invitation = Type.Object({ email: typedEmail, role })
export const withdrawal = Type.Object({ email: typedEmail })
export const newRole = Type.Object({ role })

/** What the browser says of a passkey, as @simplewebauthn/browser writes it. */
const spoken = Type.Record(Type.String(), Type.Unknown())
export const confirmed = Type.Object({ password: typedPassword })
export const newPasskey = Type.Object({ name: typedName, response: spoken })
export const shownPasskey = Type.Object({ response: spoken })

export const auditFilter = Type.Object({
  ...paging,
  staff: Type.Optional(Type.String({ maxLength: 64 })),
  action: Type.Optional(Type.String({ maxLength: 64 })),
  aid: Type.Optional(Type.String({ maxLength: 64 })),
  environment: Type.Optional(Type.Union([Type.Literal('production'), Type.Literal('sandbox')])),
})
