import type { Context, EnvironmentName } from '../../context.ts'
import { recordAudit } from '../../domain/staff/audit.ts'
import { Failure } from '../../errors.ts'

/** The name that is stored as the person who connected it, for connections made on the command line. */
export const COMMAND_LINE = 'command line'

/** Records an action and its outcome in the audit log, like the dashboard. Nothing that was typed is recorded. */
export async function audited<R>(
  ctx: Context,
  action: string,
  environment: EnvironmentName,
  work: () => Promise<R>,
): Promise<R> {
  const record = (outcome: string) =>
    ctx.control.write((trx) =>
      recordAudit(trx, { staff: undefined, action, environment }, outcome, Date.now()),
    )
  try {
    const result = await work()
    await record('done')
    return result
  } catch (error) {
    await record(error instanceof Failure ? error.code : 'failed')
    throw error
  }
}
