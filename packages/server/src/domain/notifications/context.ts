import type { ControlDatabase, EnvironmentDatabase } from '../../db/database.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { AddressContext } from '../staff/link-addresses.ts'

/** The parts of an environment that emails to staff depend on. */
export interface NotifyingEnvironment {
  name: string
  database: EnvironmentDatabase
  clock(): Seconds
  refreshClock(): Promise<void>
  realTime(): Millis
  isOnHold(): Promise<boolean>
}

/**
 * The parts of the service that emails to staff need. All of them are sent through production's mail server, also those
 * about the sandbox: staff are real people, and the sandbox's server often only collects what it is given.
 */
export interface NotificationContext extends AddressContext {
  control: ControlDatabase
  environments: Record<'production' | 'sandbox', NotifyingEnvironment> & {
    production: AddressContext['environments']['production'] & {
      readonly mailer: Mailer | undefined
      readonly mailFrom: string
      connections: { refresh(): Promise<void> }
    }
  }
  staffSecret(): Promise<Buffer>
}

/** Whether emails to staff are sent: now, once the hold ends, or not at all because no mail server is set. */
export type StaffMailState = 'ready' | 'held' | 'off'

export async function readStaffMailState({
  environments: { production },
}: NotificationContext): Promise<StaffMailState> {
  if (production.mailer === undefined) return 'off'
  return (await production.isOnHold()) ? 'held' : 'ready'
}

/** Returns the secret with which the links of emails are made, or undefined if no mail server is set. */
export async function findMailSecret(ctx: NotificationContext): Promise<Buffer | undefined> {
  return ctx.environments.production.mailer === undefined ? undefined : await ctx.staffSecret()
}
