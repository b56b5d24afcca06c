import type { Environment } from '../../../context.ts'
import type { Cli } from '../../cli.ts'
import type { TestDatabase } from '../../databases.ts'
import type { TestService } from '../../service.ts'
import type { FakeStripe } from '../../stripe/fake-stripe.ts'
import type { TestReceiver } from '../../webhooks/receiver.ts'
import type { World } from '../world.ts'
import type { HttpClient } from './http-client.ts'

/** Where histories are played: a service, the provider, the command line and the clock. */
export interface TestSystem {
  readonly database: TestDatabase
  readonly fake: FakeStripe
  readonly http: HttpClient
  /** Gets the webhooks of all histories. */
  readonly receiver: TestReceiver
  readonly service: TestService
  readonly env: Environment
  /** The address of the service, or of one of them if there are several. */
  readonly url: string
  /** In seconds. */
  readonly now: number
  readonly commands: Cli
  /** Whether workers run during an operation, so that the model can't know what they have done by its end. */
  readonly isConcurrent: boolean
  /** Moves the clock, and runs nothing that falls due. */
  moveClock(seconds: number): void
  /** Runs what is due now, unless server processes do that by themselves. */
  work(): Promise<void>
  /** Sends the webhooks that are due now, or waits until server processes have sent all. */
  sendWebhooks(): Promise<void>
  /** The same address at a server that answers; undefined if there is no other. */
  elsewhere(address: string): Promise<string | undefined>
  /** Waits until everything in progress has finished. */
  settle(world: World): Promise<void>
  /** A new path for a file that a command writes. */
  newFile(kind: string): string
  /** Keeps the master key next to a backup, as operators must: a later key can't open it. */
  keepMasterKey(backup: string): void
  /** Restores a backup into a new installation, which serves from now on. */
  restore(backup: string): Promise<void>
  close(): Promise<void>
}
