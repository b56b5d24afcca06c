import type { Command } from 'commander'
import { osUser } from '../../config/os-user.ts'
import type { Context } from '../../context.ts'
import { findRow } from '../../db/queries/rows.ts'
import {
  type AuditedAction,
  beginAudit,
  type Details,
  endAudit,
  recordAudit,
} from '../../domain/staff/audit.ts'
import { withAuditTrail } from '../../domain/staff/audit-trail.ts'
import { findStaffByEmail } from '../../domain/staff/staff.ts'
import { Failure } from '../../errors.ts'
import { declarationFor } from './declarations.ts'

interface RunningCommand {
  path: string
  /** Positional arguments by their names. */
  args: Readonly<Record<string, unknown>>
  options: Readonly<Record<string, unknown>>
  details: Record<string, Details[string]>
}

/** A process runs one command. */
let running: RunningCommand | undefined

/** Remembers which command is about to run. Throws if it doesn't say what it leaves in the audit log. */
export function noteCommand(command: Command): void {
  const names = command.registeredArguments.map((argument) => argument.name())
  const args = Object.fromEntries(names.map((name, i) => [name, command.processedArgs[i]]))
  running = { path: pathOf(command), args, options: command.opts(), details: {} }
  declarationFor(running.path, running.options, args)
}

/** The names of a command and its parents, without that of the program. */
export function pathOf(command: Command): string {
  const above = command.parent?.parent ? `${pathOf(command.parent)} ` : ''
  return above + command.name()
}

/** Adds details to the audit entry of the command. No secrets, and uids instead of readers' emails. */
export function noteAudit(details: Details): void {
  if (running) Object.assign(running.details, details)
}

/** Returns the context of a command: what is recorded through it names the user of the operating system. */
export const withOsUser = (ctx: Context): Context => ({
  ...ctx,
  control: withAuditTrail(ctx.control, { origin: { os_user: osUser() } }),
})

/** Runs the work of a command between the two halves of its audit entry, if it has one. */
export async function auditCommand<R>(ctx: Context, work: () => Promise<R>): Promise<R> {
  const command = running
  const declared = command && declarationFor(command.path, command.options, command.args)
  if (!command || !declared) return await work()
  const details = { ...namedIn(command), ...declared.note?.(command.options, command.args) }
  const scope = await scopeOf(ctx, command)
  const params = {
    ...idsIn(command),
    ...(declared.isAboutMember && (await memberIn(ctx, command))),
  }
  const entry: AuditedAction = { staff: undefined, action: declared.action, ...scope, details }
  const seq = await beginAudit(ctx.control, { ...entry, params }, Date.now())
  const end = (outcome: string, onError: () => void) =>
    endAudit(ctx.control, seq, outcome, { ...details, ...command.details }).catch(onError)
  try {
    const result = await work()
    await end('done', () => {
      process.stderr.write('gatehouse: the audit log does not know how this command ended\n')
    })
    return result
  } catch (error) {
    // The error of the command is the one to show. An entry without an end says that it was not done.
    await end(error instanceof Failure ? error.code : 'failed', () => {})
    throw error
  }
}

/** Records what a command has done, for one that writes its own entries. */
export const recordCommand = (ctx: Context, action: string, details: Details) =>
  ctx.control.write((trx) =>
    recordAudit(trx, { staff: undefined, action, details }, 'done', Date.now()),
  )

/** The application and the environment that a command names, if they exist. */
async function scopeOf(
  { control }: Context,
  { args, options }: RunningCommand,
): Promise<Pick<AuditedAction, 'aid' | 'environment'>> {
  const aid = options.aid ?? args.aid
  const found = typeof aid === 'string' ? await findRow(control.read, 'aids', { aid }) : undefined
  if (found) return { aid: found.aid, environment: found.environment }
  return typeof options.env === 'string' ? { environment: options.env } : {}
}

const texts = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )

/** The id of the record that a command is about. */
const idsIn = ({ args, options }: RunningCommand) => texts({ id: args.id ?? options.id })

/** The id of the member of staff that a command names, if there is one. */
async function memberIn(
  { control }: Context,
  { args }: RunningCommand,
): Promise<Record<string, string>> {
  const found = await findStaffByEmail(control.read, String(args.email))
  return found ? { id: found.id } : {}
}

/** What else of the command line may be recorded: nothing of it is about a person. */
const namedIn = ({ args, options }: RunningCommand): Details => ({
  ...texts({ rid: options.rid, key_id: args['key-id'], finding: args.finding }),
  ...(typeof options.overlap === 'number' ? { overlap: options.overlap } : {}),
})
