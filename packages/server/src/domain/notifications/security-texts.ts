import type { SecurityEvent } from '../../db/tables.ts'
import { textsIn } from '../../language.ts'

interface EventTexts {
  subject: string
  heading: string
  text: (host: string) => string
}

const events: Record<SecurityEvent, EventTexts> = {
  passkey_added: {
    subject: 'A passkey was added to your Gatehouse account',
    heading: 'A passkey was added',
    text: (host) =>
      `A new passkey can sign in to your account on the Gatehouse dashboard at ${host}.`,
  },
  passkey_removed: {
    subject: 'A passkey was removed from your Gatehouse account',
    heading: 'A passkey was removed',
    text: (host) =>
      `A passkey can no longer sign in to your account on the Gatehouse dashboard at ${host}.`,
  },
  password_changed: {
    subject: 'The password of your Gatehouse account was changed',
    heading: 'Your password was changed',
    text: (host) =>
      `Your account on the Gatehouse dashboard at ${host} has a new password. The old one no longer works.`,
  },
}

const en = {
  events,
  ifNotYou:
    'If that was not you, ask an owner for a password link at once. It ends all your sessions and removes all passkeys. If you are the only owner, whoever runs the server can make the link.',
  time: 'Time',
  from: 'From',
  commandLine: 'the command line of the server',
  open: 'Open your account',
  why: 'You get this email because it is about the security of your account. It can’t be switched off.',
}

export const securityTexts = textsIn({ en })
