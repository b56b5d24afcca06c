import type { Command } from 'commander'
import { type Context, ENVIRONMENTS } from '../../context.ts'
import { detachInstallation } from '../../domain/hold/detach.ts'
import type { NamedEnvironment, ReconcileResult } from '../../domain/hold/reconcile-first.ts'
import { countWaitingMails, resumeInstallation } from '../../domain/hold/resume.ts'
import { readServedAddress } from '../../domain/installation/address.ts'
import { describeHold, type Hold } from '../../domain/installation/hold.ts'
import { formatTime } from '../../format-time.ts'
import { recordCommand } from '../audit/audited-command.ts'
import { requireYes } from '../confirm.ts'
import { withContext } from '../context.ts'
import { formatRecord, type Output, print } from '../output.ts'

interface Options extends Output {
  yes?: boolean
  discardMails?: boolean
  detach?: boolean
}

export function addResumeCommand(program: Command): void {
  program
    .command('resume')
    .description(
      'end a hold: compare with the payment provider, then charge, refund and send emails again',
    )
    .option('--yes', 'skip the confirmations')
    .option('--discard-mails', 'keep waiting emails instead of sending them')
    .option(
      '--detach',
      'for a copy: permanently ignore the payment provider and the mail servers in the settings',
    )
    .action((options) => withContext((ctx) => resume(ctx, options)))
}

async function resume(ctx: Context, options: Options): Promise<void> {
  const hold = await ctx.gate.check()
  if (options.detach) return await detach(ctx, hold, options)
  if (!hold) {
    print(options, { resumed: false }, () => 'This installation is not on hold.')
    return
  }
  const addresses = await addressesOf(ctx)
  const mails = await countWaitingMails(ctx.control, desksOf(ctx))
  process.stderr.write(`${summaryOf(hold, addresses, mails)}\n`)
  if (addresses.changed) await requireYes(options, `Resume, and serve ${addresses.now}?`)
  const discardMails = options.discardMails === true
  const { reconciled } = await resumeInstallation(ctx.gate, ctx.control, desksOf(ctx), {
    discardMails,
  })
  await recordCommand(ctx, 'installation.resume', { cause: hold.cause })
  const data = {
    ...{ resumed: true, cause: hold.cause, since: hold.since, backup: hold.backup ?? null },
    ...{ address: addresses.now, address_before: addresses.before ?? null },
    ...{ reconciled, mails, mails_discarded: discardMails },
  }
  print(options, data, () => {
    const done = discardMails
      ? `${mails} emails are kept and not sent.`
      : `${mails} emails are sent.`
    return [
      ...reconciled.flatMap(linesOf),
      `Resumed. Charges, refunds and emails are sent again. ${done}`,
    ].join('\n')
  })
}

const linesOf = ({ environment, repaired, open }: ReconcileResult) => [
  ...repaired.map((text) => `${environment}: repaired: ${text}`),
  ...open.map((text) => `${environment}: your decision: ${text}`),
]

const desksOf = ({ environments }: Context): NamedEnvironment[] =>
  ENVIRONMENTS.map((name) => environments[name])

interface Addresses {
  now: string
  before: string | undefined
  changed: boolean
}

async function addressesOf(ctx: Context): Promise<Addresses> {
  const now = ctx.environments.production.address()
  const before = await readServedAddress(ctx.control.read)
  return { now, before, changed: before !== undefined && before !== now }
}

function summaryOf(hold: Hold, { now, before, changed }: Addresses, mails: number): string {
  return formatRecord({
    'on hold since': formatTime(Math.floor(hold.since / 1000)),
    why: describeHold(hold),
    address: changed ? `${now} (before: ${before})` : now,
    'waiting emails': `${mails}${mails > 0 ? ' (some may have been sent before)' : ''}`,
  })
}

async function detach(ctx: Context, hold: Hold | undefined, options: Options): Promise<void> {
  const { control, environments } = ctx
  await requireYes(
    options,
    'Permanently detach this copy? It will never charge, refund or send emails again, and its orders are closed.',
  )
  const databases = {
    control,
    production: environments.production.database,
    sandbox: environments.sandbox.database,
  }
  const done = await detachInstallation(ctx.gate, control, desksOf(ctx), databases)
  await recordCommand(ctx, 'installation.detach', {})
  const data = { detached: true, cause: hold?.cause ?? null, ...done }
  print(options, data, () => {
    const closed = `${done.payments} payments, ${done.refunds} refunds and ${done.checkouts} checkouts were closed`
    return `Detached: this copy has no payment provider and sends no emails. ${closed}, ${done.mails} emails are kept. Restart the service.`
  })
}
