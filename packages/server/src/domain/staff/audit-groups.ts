/** The actions of the audit log by what they are about, each by the part of its name before the dot. */
export const AUDIT_GROUPS = {
  access: ['access'],
  people: ['person', 'people', 'note'],
  payments: ['payment'],
  subscriptions: ['subscription'],
  resources: ['resource', 'price', 'download'],
  emails: ['mail'],
  settings: ['settings', 'application', 'payments', 'installation', 'sandbox'],
  developers: ['key', 'console', 'token', 'webhook'],
  team: ['team', 'link'],
  account: ['session', 'passkey', 'password', 'me', 'view'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type AuditGroup = keyof typeof AUDIT_GROUPS
