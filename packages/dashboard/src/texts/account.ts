import { pluralize } from '../format.ts'

export const signInTexts = {
  title: 'Sign in',
  email: 'Email',
  password: 'Password',
  go: 'Sign in',
  passkey: 'Sign in with a passkey',
  or: 'or',
  failed: 'Wrong email address or password.',
  passkeyFailed: 'This passkey was not accepted.',
  lost: 'Forgot your password?',
  ended: 'You were signed out. Sign in to continue.',
} as const

export const signOutTexts = {
  title: 'Signing out …',
  notYet: 'Not signed out yet',
  cleared:
    'This page no longer shows any data, but your session has not ended. You will be signed out once the connection is back. Keep this page open until then.',
  again: 'Try again',
} as const

const NO_PASSKEY =
  'ask another owner, who can create a password link for you on the Team page. If you are the only owner, run “gatehouse staff reset” on the server.'

/** Asked where a password alone is not enough. */
export const passkeyStepTexts = {
  title: 'Sign in with your passkey',
  lead: 'Your password alone does not sign you in.',
  use: 'Use your passkey',
  lost: `No passkey at hand? Then ${NO_PASSKEY}`,
  noSupport: `This browser doesn’t support passkeys. Use the browser or the device that has yours, or ${NO_PASSKEY}`,
} as const

/** Asked before an action that gives lasting access or hands out readers' data. */
export const confirmIdentityTexts = {
  title: 'Confirm it’s you',
  lead: 'This gives lasting access or shares readers’ data, so we ask again. You won’t be asked for the next 5 minutes.',
  action: 'Continue',
  passkey: 'Use a passkey',
} as const

const OTHER_WAYS =
  'ask an owner for a password link, which they create on the Team page. If you are the only owner, run “gatehouse staff reset” on the server.'

export const forgottenTexts = {
  title: 'Forgot your password?',
  lead: 'Enter your email address, and we send you a link to set a new one.',
  email: 'Email',
  go: 'Send me a link',
  back: 'Back to sign-in',
  sentTitle: 'Check your email',
  sent: (email: string) =>
    `If ${email} belongs to a team member, a link is on its way. It works once, for 10 minutes, and ends links that you asked for before.`,
  nothing: `Nothing arrived? Look in your spam folder, or ${OTHER_WAYS}`,
  notSetUp: `This installation can’t send emails. Instead, ${OTHER_WAYS}`,
  onHold: `This installation is on hold and sends no emails. Instead, ${OTHER_WAYS}`,
} as const

/** For setup links, invitations and password resets. */
export const linkTexts = {
  titles: { setup: 'Set up Gatehouse', invite: 'Join the team', reset: 'Set a new password' },
  leads: {
    setup: 'You become the owner: you can see and change everything, and invite others.',
    invite: (role: string) => `You are invited as ${role}.`,
    reset: 'Choose a new password. You are signed out everywhere else.',
  },
  removesPasskeys: 'Your passkeys are removed; you can add them again.',
  needsPasskey: 'Then use your passkey: it stays, and confirms that it’s you.',
  passkeyTitle: 'Now use your passkey',
  passkeyLead: 'Your new password is set as soon as your passkey confirms that it’s you.',
  email: 'Email',
  name: {
    label: 'Your name',
    hint: 'Other team members see it in the team list and the audit log.',
  },
  password: {
    label: 'Password',
    hint: 'At least 10 characters. Three or four random words work well.',
  },
  tooShort: (left: number) => `Add ${pluralize(left, 'more character', 'more characters')}.`,
  isEmail: 'Don’t use your email address as the password.',
  go: { setup: 'Create account', invite: 'Join', reset: 'Set password' },
  deadTitle: 'This link is no longer valid',
  dead: 'Each link works once and expires. To set a new password, ask for another link on the sign-in page; for an invitation, ask an owner.',
  deadSetup:
    'Is Gatehouse already set up? Then sign in. If not, restart the server: it makes a new setup link and says where it is.',
  insecureTitle: 'This connection is not secure',
  insecure:
    'Somebody could read what you type. Open the dashboard over https, or at http://localhost on the server itself.',
  missing: 'The link is incomplete. Copy all of it, including everything after the #.',
} as const

export const accountTexts = {
  title: 'Your account',
  nameTitle: 'Name',
  emailHint: 'You sign in with this email address.',
  passwordTitle: 'Password',
  current: 'Current password',
  next: 'New password',
  change: 'Change password',
  changed: 'Password changed. You are signed out everywhere else.',
  wrong: 'This is not your current password.',
  passkeysTitle: 'Passkeys',
  passkeysLead: 'Sign in with your fingerprint, your face or a security key instead of a password.',
  addPasskey: 'Add passkey',
  passkeyName: { label: 'Name of the passkey', hint: 'For example “Work laptop”.' },
  passkeyAdded: 'Passkey added.',
  passkeyFailed: 'The passkey was not created. Nothing has changed.',
  noPasskeys: 'No passkeys yet.',
  noSupport: 'This browser doesn’t support passkeys.',
  lastUsed: 'last used',
  added: 'added',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeEffect: 'You can’t sign in with this passkey any more. Your other passkeys still work.',
  removeLastEffect: 'This is your last passkey. After that, you sign in with your password.',
  passkeyOnly: 'Sign in with a passkey only',
  passkeyOnlyHint:
    'Your password alone doesn’t sign you in any more, and you are signed out on your other devices. If you lose your passkeys, an owner can create a password link for you.',
  passkeyOnlyRequired:
    'This installation asks for your passkey, because you have one. Owners can change that on the Team page.',
  passkeyOnlySet: (on: boolean) =>
    on ? 'You sign in with a passkey only.' : 'You can sign in with your password again.',
  removed: (name: string) => `${name} removed.`,
  renamed: 'Passkey renamed.',
  sessionsTitle: 'Sessions',
  thisOne: 'this session',
  seen: 'last seen',
  since: 'since',
  everywhere: 'Sign out everywhere',
  everywhereTitle: 'Sign out everywhere?',
  everywhereEffect: (others: number) =>
    others === 0
      ? 'You are signed out in this browser.'
      : `You are signed out in this browser and in ${pluralize(others, 'other session', 'other sessions')} immediately.`,
  unknownAgent: 'Unknown browser',
  agentOn: (browser: string, system: string) => `${browser} on ${system}`,
  endSession: (name: string) => `Sign out: ${name}`,
} as const
