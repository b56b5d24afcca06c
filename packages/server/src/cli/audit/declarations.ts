import type { Details } from '../../domain/staff/audit.ts'

type Options = Readonly<Record<string, unknown>>
/** Positional arguments by their names. */
type Args = Readonly<Record<string, unknown>>

/** What a command leaves in the audit log. */
export type Declaration =
  /** The command is one entry with this action. */
  | ({ kind: 'audited'; action: string } & Audited)
  /** The command writes its entries itself, with these actions: it knows best when. */
  | { kind: 'own'; actions: readonly string[] }
  /** The command changes nothing, and hands out nothing but what its lists and records show. */
  | { kind: 'reads' }

interface Audited {
  /** Whether the command is an entry with these options. */
  only?: (options: Options, args: Args) => boolean
  note?: NoteOptions
  /** Whether the argument `email` names a member of staff: the entry is about this member. */
  isAboutMember?: boolean
}

/** Details that the command line gives. Names and addresses of readers are none: entries have uids. */
type NoteOptions = (options: Options, args: Args) => Details

const READS: Declaration = { kind: 'reads' }
const own = (...actions: string[]): Declaration => ({ kind: 'own', actions })
const audited = (action: string, more: Audited = {}): Declaration => ({
  kind: 'audited',
  action,
  ...more,
})

const underscored = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Names the settings that a command changes, as the dashboard does. */
const changedIn: NoteOptions = ({ json: _, env: __, ...options }) => ({
  changed: Object.keys(options).map(underscored).join(' '),
})
const nameIn: NoteOptions = ({ name }) => ({ name: String(name) })
/** The address of a member of staff, who is no reader. */
const emailIn: NoteOptions = (_, { email }) => ({ email: String(email) })
const member = { isAboutMember: true, note: emailIn }
const allDead = ({ allDead }: Options) => allDead === true

/** Every command, with what it leaves in the audit log. A command that is not here doesn't run. */
export const COMMANDS: Readonly<Record<string, readonly Declaration[] | Declaration>> = {
  'app create': audited('application.create', { note: nameIn }),
  'app list': READS,
  'app show': audited('key.reveal', { only: ({ reveal }) => reveal === true }),
  'app set': audited('settings.change', { note: changedIn }),
  'app archive': audited('application.archive'),
  'app rotate-key': audited('key.rotate'),
  'app revoke-key': audited('key.revoke'),
  'app pair': own('application.pair'),
  'app unpair': own('application.unpair'),
  'app copy': own('application.copy'),
  'resource create': audited('resource.create'),
  'resource set': audited('resource.opens'),
  'resource list': READS,
  'resource show': READS,
  'access grant': audited('access.grant'),
  'access revoke': audited('access.revoke'),
  'access show': READS,
  'access why': READS,
  'access search': READS,
  'access history': READS,
  'access export': audited('access.export'),
  'access import': audited('access.import'),
  'user show': READS,
  'user set-email': audited('person.change'),
  'user add-ref': audited('person.add-reference'),
  'user end-links': audited('person.end-links'),
  'user merge': audited('person.merge'),
  'user export': audited('person.export'),
  'user erase': audited('person.erase'),
  'price create': audited('price.create'),
  'price list': READS,
  'price archive': audited('price.retire'),
  'price restore': audited('price.restore'),
  'link create': audited('resource.purchase-link'),
  'download create': audited('download.upload'),
  'download replace': audited('download.replace'),
  'download list': READS,
  'download show': READS,
  'download set': audited('download.change'),
  'download publish': audited('download.change'),
  'download unpublish': audited('download.change'),
  'download move': audited('download.order'),
  'download remove': audited('download.remove'),
  'download link': audited('download.link'),
  'download page': audited('access.files-link'),
  'download deliveries': READS,
  'subscription list': READS,
  'subscription show': READS,
  'subscription cancel': audited('subscription.cancel'),
  'subscription resume': audited('subscription.resume'),
  'subscription link': audited('subscription.manage-link'),
  'subscription import': audited('subscription.import'),
  'payment list': READS,
  'payment show': READS,
  'payment refund': audited('payment.refund'),
  'payment dispute': audited('payment.dispute'),
  'payment reconcile': audited('payment.reconcile'),
  'payment dismiss': audited('payment.dismiss'),
  'payment rehearse': audited('payment.rehearse'),
  'payments connect': own('payments.connect'),
  'payments show': READS,
  'payments test': own('payments.test'),
  'payments link': own('payments.link'),
  'clock show': READS,
  'clock advance': audited('sandbox.clock'),
  'sandbox reset': audited('sandbox.reset'),
  sign: audited('key.sign'),
  'mail list': READS,
  'mail show': READS,
  'mail retry': [
    audited('mail.send_again', { only: (options) => !allDead(options) }),
    audited('mail.send_again_dead', { only: allDead }),
  ],
  'mail connect': own('mail.connect'),
  'mail test': own('mail.test'),
  'webhook create': audited('webhook.create'),
  'webhook list': READS,
  'webhook show': READS,
  'webhook set': audited('webhook.change'),
  'webhook rotate-secret': audited('webhook.rotate'),
  'webhook disable': audited('webhook.disable'),
  'webhook enable': audited('webhook.enable'),
  'webhook delete': audited('webhook.delete'),
  'webhook replay': audited('webhook.replay'),
  'webhook deliveries': READS,
  'webhook test': audited('webhook.test'),
  // It hands out what happens to every reader, for as long as it runs.
  'events listen': audited('webhook.listen'),
  'events trigger': audited('webhook.sample'),
  'key rotate-master': audited('key.rotate-master'),
  'key rotate-links': audited('key.rotate-links'),
  'staff list': READS,
  'staff invite': audited('team.invite', {
    note: (options, args) => ({ ...emailIn(options, args), role: String(options.role) }),
  }),
  'staff withdraw': audited('team.withdraw', { note: emailIn }),
  'staff reset': audited('team.reset', member),
  'staff disable': audited('team.disable', member),
  'staff enable': audited('team.enable', member),
  'staff passkey-policy': audited('team.passkey_policy', {
    only: (_, { who }) => who !== undefined,
    note: (_, { who }) => ({ policy: String(who) }),
  }),
  'staff require-passkey': audited('team.passkey_only', {
    ...member,
    note: (options, args) => ({ ...emailIn(options, args), on: options.off !== true }),
  }),
  'token create': own('token.create'),
  'token list': READS,
  'token revoke': own('token.revoke'),
  'token confirm': own('token.confirm'),
  backup: audited('installation.backup'),
  // Into an empty installation, whose audit log comes with the backup.
  restore: own('installation.restore'),
  resume: own('installation.resume', 'installation.detach'),
  // Before the copy: from then on, the old database takes nothing more.
  move: own('installation.move'),
  doctor: READS,
  // It calls the management API, which has an entry for each change.
  mcp: READS,
  serve: READS,
}

/** The action of a command that is run with these options; undefined if it is no entry, or writes its own. */
export function declarationFor(path: string, options: Options, args: Args) {
  const declared = COMMANDS[path]
  if (declared === undefined) throw new Error(`the command ${path} declares no audit action`)
  if (options.dryRun === true) return undefined
  for (const one of [declared].flat()) {
    if (one.kind === 'audited' && (one.only?.(options, args) ?? true)) return one
  }
  return undefined
}
