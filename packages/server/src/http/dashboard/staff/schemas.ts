import { Type } from 'typebox'
import type { EnvironmentName } from '../../../context.ts'
import type { ManagementTokenTable, Millis, NotificationKind, Seconds } from '../../../db/tables.ts'
import { NOTIFICATION_KINDS } from '../../../domain/notifications/choices.ts'
import type { StaffMailState } from '../../../domain/notifications/context.ts'
import { AUDIT_GROUPS, type AuditGroup } from '../../../domain/staff/audit-groups.ts'
import type { AuditSubjects } from '../../../domain/staff/audit-subjects.ts'
import type { LinkKind } from '../../../domain/staff/links.ts'
import {
  PASSKEY_POLICIES,
  type PasskeyOnly,
  type PasskeyPolicy,
} from '../../../domain/staff/passkey-only.ts'
import type { Role, StaffMember } from '../../../domain/staff/staff.ts'
import { paging } from '../schemas.ts'

/** GET /me: who is signed in, and the environments and applications they can work on. */
export interface Me {
  staff: StaffMember
  environments: EnvironmentOfMe[]
  /** Why the installation is on hold and sends nothing out; null if it is not. */
  hold: { since: Millis; why: string } | null
  /** Whether this is a copy without a payment provider and a mail server. */
  detached: boolean
  /** Whether the sandbox is switched on. If not, it is listed without its applications. */
  has_sandbox: boolean
  /** The version of Gatehouse. */
  version: string
  /** Whether the signed-in member needs a passkey to sign in and to confirm, and why. */
  passkey_only: PasskeyOnly
}

export interface EnvironmentOfMe {
  name: EnvironmentName
  /** `kept`: no mail server is configured, so mails are not sent. */
  delivery: 'queued' | 'kept'
  /** `none`: nothing can be sold. `test_cards`: the sandbox's own cards, which move no money. */
  payments: 'stripe' | 'test_cards' | 'none'
  /** Business time, and how far it is ahead of real time. */
  time: Seconds
  clock_offset: Seconds
  /** The public URL. */
  address: string
  applications: {
    aid: string
    name: string
    currency: string
    archived: boolean
    /** The application that it is paired with in the other environment. */
    paired_with: string | null
    /** Days of figures and lists are those of this time zone. */
    time_zone: string
  }[]
}

/** POST /link/look: what a link is for. */
export interface Link {
  kind: LinkKind
  /** Null for a setup link, where the new owner enters it. */
  email: string | null
  role: Role
  name: string
  /** Whether the new password takes effect only together with one of the member's passkeys. */
  needs_passkey: boolean
  /** Whether the member's passkeys are removed. */
  removes_passkeys: boolean
}

/** POST /sign-in, /link/use, /passkeys/sign-in: who is now signed in. */
export interface SignedIn {
  staff: StaffMember
}

/** A member of staff or a management token, by name. */
export interface Colleague {
  id: string
  name: string
  is_token: boolean
}

export interface Session {
  id: string
  created_at: Millis
  seen_at: Millis
  ends_at: Millis
  /** The browser's user agent. */
  agent: string
  /** Whether it is the session of this request. */
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
  /** When the member was last active, if known. */
  seen_at: Millis | null
  has_password: boolean
  passkeys: number
  /** How many of them work under the host name of this request. */
  usable_passkeys: number
  /** Whether the member needs a passkey to sign in, and why. */
  passkey_only: PasskeyOnly
}

/** GET /team: an invitation that has not been accepted yet. */
export interface Invitation {
  email: string
  role: Role
  ends_at: Millis
  /** The state of the email with the link; null if none was sent. */
  mail: LinkMail | null
}

/** `kept`: the mail server was removed before the email was sent. */
export interface LinkMail {
  status: 'queued' | 'sent' | 'failed' | 'kept'
  sent_at: Millis | null
}

export interface Team {
  members: TeamMember[]
  invitations: Invitation[]
  /** Who needs a passkey to sign in, once they have one. */
  passkey_policy: PasskeyPolicy
}

/** POST /team/invite, /team/:id/reset: the link is returned only here. */
export interface NewLink {
  link: string
  ends_at: Millis
  /** Whether the link is mailed as well, and to whom. */
  mail: StaffMailState
  email: string
}

/** GET /notifications: what the signed-in member gets by email. */
export interface Notifications {
  /** Whether emails to staff are sent at all. */
  mail: StaffMailState
  email: string
  applications: NotificationsOfApplication[]
}

export interface NotificationsOfApplication {
  environment: EnvironmentName
  aid: string
  name: string
  choices: Record<NotificationKind, boolean>
}

/** GET /audit: entries are listed newest first. */
export interface AuditEntry {
  seq: number
  at: Millis
  /** Null for the command line. */
  staff_id: string | null
  /** The id of the management token of a program; null for everybody else. */
  token_id: string | null
  email: string
  environment: EnvironmentName | null
  aid: string | null
  action: string
  /** The path parameters of the request. */
  params: Record<string, string>
  details: Record<string, string | number | boolean>
  /** `done`, `begun` if the end is unknown, `cut_off` if a file was not read to its end, or an error code. */
  outcome: string
  /** The client's address; null for the command line, and in entries of earlier versions. */
  address: string | null
  /** The name that the browser or the program gives itself. */
  agent: string | null
  /** The id of the session, not its token. */
  session_id: string | null
  /** The user of the operating system who ran a command. */
  os_user: string | null
  /** The person and the records that it is about, by their current names. */
  about: AuditSubjects | null
  /** The name of the member it is about; null if there is none. */
  member: string | null
}

/** A token of the management API. */
export type TokenItem = Omit<ManagementTokenTable, 'digest'>

export interface NewTokenItem extends TokenItem {
  /** The token itself, which can't be read again. */
  token: string
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

/** The browser's WebAuthn response, as returned by @simplewebauthn/browser. */
const webAuthnResponse = Type.Record(Type.String(), Type.Unknown())

export const CredentialsBody = Type.Object({ email: typedEmail, password: typedPassword })
export const ForgottenBody = Type.Object({ email: typedEmail })
export const ChoiceBody = Type.Object({
  kind: Type.Enum([...NOTIFICATION_KINDS]),
  on: Type.Boolean(),
})
export const LinkLookupBody = Type.Object({ token })
/** `email` is only for a setup link, which contains none. */
export const LinkUseBody = Type.Object({
  token,
  email: Type.Optional(typedEmail),
  name: typedName,
  password: typedPassword,
  /** The answer of a passkey, for a link that needs one. */
  response: Type.Optional(webAuthnResponse),
})
export const PasskeyOnlyBody = Type.Object({ on: Type.Boolean() })
export const PasskeyPolicyBody = Type.Object({ policy: Type.Enum([...PASSKEY_POLICIES]) })
export const NewPasswordBody = Type.Object({ current: typedPassword, next: typedPassword })
export const NewNameBody = Type.Object({ name: typedName })
export const InvitationBody = Type.Object({ email: typedEmail, role })
export const WithdrawalBody = Type.Object({ email: typedEmail })
export const NewRoleBody = Type.Object({ role })

export const ConfirmationBody = Type.Object({ password: typedPassword })
export const NewPasskeyBody = Type.Object({ name: typedName, response: webAuthnResponse })
export const PasskeySignInBody = Type.Object({ response: webAuthnResponse })

export const AuditQuery = Type.Object({
  ...paging,
  staff: Type.Optional(Type.String({ maxLength: 64 })),
  action: Type.Optional(Type.String({ maxLength: 64 })),
  group: Type.Optional(Type.Enum(Object.keys(AUDIT_GROUPS) as AuditGroup[])),
  /** In milliseconds. */
  from: Type.Optional(Type.Integer({ minimum: 0 })),
  to: Type.Optional(Type.Integer({ minimum: 0 })),
  aid: Type.Optional(Type.String({ maxLength: 64 })),
  environment: Type.Optional(Type.Union([Type.Literal('production'), Type.Literal('sandbox')])),
})

/** The filters and the sort order of a list that the signed-in member has saved. */
export interface SavedViewItem {
  id: string
  /** Such as `payments`. */
  list: string
  name: string
  /** The parameters of the list's URL. */
  search: Readonly<Record<string, string>>
  is_default: boolean
}
