/** The mails that an application can write itself. */
export const TEMPLATE_KINDS = [
  'grant',
  'receipt',
  'trial_started',
  'trial_ends',
  'payment_failed',
  'subscription_ended',
  'canceled',
  'refunded',
  'address_changed',
] as const
export type TemplateKind = (typeof TEMPLATE_KINDS)[number]

/** The kinds whose templates are stored together. The grant mail's has its own column. */
export type StoredTemplateKind = Exclude<TemplateKind, 'grant'>
export const STORED_TEMPLATE_KINDS = TEMPLATE_KINDS.filter(
  (kind): kind is StoredTemplateKind => kind !== 'grant',
)

const COMMON = ['application', 'resource', 'first_name']
const MONEY = [...COMMON, 'amount', 'date', 'facts']

/** The placeholders of a template, by kind of mail. */
const PLACEHOLDERS: Readonly<Record<TemplateKind, readonly string[]>> = {
  grant: [...COMMON, 'message', 'link', 'files', 'ends', 'ended'],
  receipt: [...MONEY, 'ends', 'next_payment', 'link', 'files', 'manage'],
  trial_started: [...MONEY, 'price', 'ends', 'link', 'files', 'manage'],
  trial_ends: [...MONEY, 'price', 'ends', 'end_day', 'manage'],
  payment_failed: [...MONEY, 'reason', 'advice', 'retry', 'ends', 'last_chance', 'manage'],
  subscription_ended: [...MONEY, 'reason', 'manage'],
  canceled: [...MONEY, 'ends', 'manage'],
  refunded: [...MONEY, 'reason'],
  address_changed: [
    ...['application', 'first_name', 'removed_address', 'added_address', 'other_address'],
    ...['contact', 'date', 'facts'],
  ],
}

export const placeholdersOf = (kind: TemplateKind): readonly string[] => PLACEHOLDERS[kind]

/** Reads the stored templates. Unknown kinds, which a newer version may have written, are ignored. */
export function readTemplates(stored: string): Partial<Record<StoredTemplateKind, string>> {
  const all = JSON.parse(stored) as Record<string, unknown>
  const known = STORED_TEMPLATE_KINDS.flatMap((kind) => {
    const template = Object.hasOwn(all, kind) ? all[kind] : undefined
    return typeof template === 'string' ? [[kind, template]] : []
  })
  return Object.fromEntries(known)
}

/** Puts changes into the stored templates. An empty one restores the built-in template. */
export function changeTemplates(
  stored: string,
  changes: Partial<Record<StoredTemplateKind, string>>,
): string {
  const all = Object.entries({ ...readTemplates(stored), ...changes })
  return JSON.stringify(Object.fromEntries(all.filter(([, template]) => template !== '')))
}
