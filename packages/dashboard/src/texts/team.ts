import { pluralize } from '../format.ts'
import { AUDIT_ACTIONS, AUDIT_DETAILS, AUDIT_SETTINGS } from './audit.ts'
import { INFINITIVES } from './sentences.ts'

export const roleTexts = {
  roles: {
    owner: 'Owner',
    developer: 'Developer',
    support: 'Support',
    reader: 'Viewer',
  },
  roleHints: {
    owner: 'Can do everything, including managing the team.',
    developer: 'Manages resources, files, API keys and settings. Can’t grant access or refund.',
    support: 'Grants and revokes access, refunds, resends emails, and manages resources.',
    reader: 'Sees everything except API keys. Can’t change anything.',
  },
} as const

export const teamTexts = {
  title: 'Team',
  lead: 'Everybody who can sign in to this dashboard. Roles apply to every application, in production and in the sandbox.',
  name: 'Name',
  role: 'Role',
  seen: 'Last seen',
  state: 'State',
  token: (name: string) => `token ${name}`,
  you: 'you',
  active: 'Active',
  disabled: 'Disabled',
  invited: 'Invited',
  linkEnds: 'link expires',
  withdraw: 'Withdraw invitation',
  withdrawn: (email: string) => `Invitation for ${email} withdrawn. The link no longer works.`,
  invite: 'Invite',
  inviteTitle: 'Invite a team member',
  inviteLead:
    'You get a link that works once, within 7 days. If a mail server is set, it is also emailed.',
  email: 'Email',
  makeLink: 'Create link',
  linkTitle: (email: string) => `Link for ${email}`,
  linkLead:
    'You can copy the link now; it is not shown again. Anybody who has it can use it, so send it only to this person.',
  linkName: 'the link',
  mailed: {
    ready: (email: string) => `The link is also being emailed to ${email}.`,
    held: (email: string) =>
      `No email is sent while this installation is on hold. When it is resumed, the link is emailed to ${email}.`,
    off: (email: string) =>
      `No email is sent, because no mail server is set for production. Send the link to ${email} yourself.`,
  },
  /** The state of the email with an invitation. */
  invitationMail: {
    queued: 'Email is being sent',
    sent: 'Emailed',
    failed:
      'The email could not be delivered. Withdraw the invitation, and invite again to get a link to pass on.',
    kept: 'No email was sent',
  },
  goodUntil: 'Valid until',
  onlyHere:
    'This link only opens on this machine. To invite people elsewhere, set GATEHOUSE_BASE_URL to the public address of this server.',
  done: 'Done',
  changeRole: 'Change role',
  roleTitle: (name: string) => `Role of ${name}`,
  roleChanged: (name: string, role: string) => `${name} now has the role ${role}.`,
  reset: 'Create password link',
  resetTitle: (name: string) => `Create a password link for ${name}?`,
  resetEffect: 'The link works once. The old password works until the link is used.',
  resetRemovesPasskeys: (name: string) =>
    `When the link is used, the passkeys of ${name} are removed, and no passkey is asked for. Make sure that it is really ${name} who wants it.`,
  passkeyOnly: 'Signs in with a passkey only',
  requirePasskey: 'Require a passkey',
  requireTitle: (name: string) => `Require a passkey from ${name}?`,
  requireEffect: (name: string) =>
    `${name} is signed out everywhere and can’t sign in with the password alone any more. If the passkeys are lost, create a password link for ${name}.`,
  required: (name: string) => `${name} signs in with a passkey only.`,
  allowPassword: 'Allow the password again',
  passwordAllowed: (name: string) => `${name} can sign in with the password again.`,
  policyTitle: 'Who needs a passkey to sign in',
  policyLead:
    'It applies to members who have added a passkey. Everybody else signs in with a password.',
  policies: {
    owners: ['Owners', 'Others can choose it for themselves, or you require it from them.'],
    everybody: ['Everybody', 'Nobody with a passkey can sign in with the password alone.'],
    nobody: ['Nobody', 'A password is enough, except for members who chose otherwise.'],
  },
  policySaved: 'Saved who needs a passkey to sign in.',
  disable: 'Disable',
  disableTitle: (name: string) => `Disable ${name}?`,
  disableEffect: (name: string) =>
    `${name} is signed out everywhere immediately and can’t sign in until you enable the account again.`,
  disabledNow: (name: string) => `${name} is disabled.`,
  enable: 'Enable',
  enabledNow: (name: string) => `${name} can sign in again.`,
  signOut: 'Sign out everywhere',
  signedOut: (name: string) => `${name} is signed out everywhere.`,
  actions: (name: string) => `Actions for ${name}`,
} as const

export const auditTexts = {
  title: 'Audit log',
  lead: 'What the team did, newest first. Entries can’t be changed.',
  time: 'Time',
  what: 'What happened',
  where: 'Where',
  details: 'Details',
  outcome: 'Outcome',
  refused: 'Refused',
  began: 'Started',
  cutOff: 'Interrupted',
  commandLine: 'Command line',
  commandLineBy: (user: string) => `${user} on the command line`,
  actionOf: (action: string): string => AUDIT_ACTIONS[action] ?? action,
  /** For an action that a newer version has recorded. */
  otherAction: (action: string) => `did “${action}”`,
  /** Turns “refunded {amount}” into “tried to refund {amount}”. */
  tried(sentence: string): string {
    const [verb = '', ...rest] = sentence.split(' ')
    const words = [INFINITIVES[verb] ?? verb, ...rest]
    return `tried to ${words.join(' ')}`
  },
  revokedCount: (value: number) => pluralize(value, 'access record', 'access records'),
  copiedResources: (value: number) => pluralize(value, 'resource', 'resources'),
  copiedBrand: 'the brand',
  copiedTemplates: 'the email templates',
  copiedNothing: 'nothing',
  theSetting: (name: string) => `the ${name}`,
  reason: (code: string) => `refused: ${code.replaceAll('_', ' ')}`,
  detail: (name: string, value: string) =>
    `${AUDIT_DETAILS[name] ?? name.replaceAll('_', ' ')}: ${value}`,
  settingName: (name: string): string => AUDIT_SETTINGS[name] ?? name.replaceAll('_', ' '),
  nothingChanged: 'nothing',
  duration: (seconds: number) =>
    seconds % 3600 === 0
      ? pluralize(seconds / 3600, 'hour', 'hours')
      : pluralize(seconds, 'second', 'seconds'),
  yes: 'yes',
  no: 'no',
  filters: {
    staff: 'Team member or token',
    group: 'What',
    action: 'Action',
    aid: 'Application',
    environment: 'Environment',
    from: 'From',
    to: 'Until',
  },
  groups: {
    access: 'Access',
    people: 'People and notes',
    payments: 'Payments',
    subscriptions: 'Subscriptions',
    resources: 'Resources, prices and files',
    emails: 'Emails',
    settings: 'Settings and connections',
    developers: 'Keys, tokens and console',
    team: 'Team',
    account: 'Sign-ins and own account',
  },
  emptyTitle: 'No entries yet',
  empty: 'Every change that the team makes is recorded here, and so are commands.',
} as const
