import type { Environment } from '../../context.ts'
import type { CommandLine } from '../command.ts'
import type { TestDatabase } from '../databases.ts'
import type { FakeStripe } from '../fake-stripe.ts'
import type { TestService } from '../service.ts'
import type { Wire } from './wire.ts'
import type { World } from './world.ts'

/** Where histories are played: a service, the provider, the command line and the time. */
export interface Stage {
  readonly database: TestDatabase
  readonly fake: FakeStripe
  readonly wire: Wire
  readonly service: TestService
  readonly env: Environment
  /** The address of the service, of one of them where there are several. */
  readonly url: string
  /** In seconds. */
  readonly now: number
  readonly commands: CommandLine
  /** Whether workers do things while an operation is played: what they were about then can't be known. */
  readonly isConcurrent: boolean
  /** Only the time moves; nothing is done yet. */
  moveClock(seconds: number): void
  /** Does what is due now, where no process does by itself. */
  work(): Promise<void>
  /** The same address at a service that answers; undefined where there is no other. */
  elsewhere(address: string): Promise<string | undefined>
  /** All that is under way comes to its end. */
  settle(world: World): Promise<void>
  /** A new path for a file that a command writes. */
  newFile(kind: string): string
  /** Keeps the master key beside a backup, as the owner of one has to: a later key does not open it. */
  keepMasterKey(backup: string): void
  /** Another installation is filled from a backup, and serves from now on. */
  restore(backup: string): Promise<void>
  close(): Promise<void>
}
