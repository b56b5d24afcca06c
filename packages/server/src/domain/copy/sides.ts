import type { ControlDatabase, EnvironmentDatabase } from '../../db/database.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import type { Stores } from '../downloads/storage/storage.ts'

export type EnvironmentName = 'production' | 'sandbox'

/** What copying needs of an environment. */
export interface Side {
  name: EnvironmentName
  database: EnvironmentDatabase
  stores: Stores
  clock(): Seconds
  realTime(): Millis
}

/** Both environments, and the database that knows which applications are paired. */
export interface CopyContext {
  control: ControlDatabase
  environments: Readonly<Record<EnvironmentName, Side>>
}

/** An application in its environment. */
export interface AppOnSide {
  side: Side
  aid: string
}

/** What is copied from where to where. */
export interface Direction {
  from: AppOnSide
  to: AppOnSide
}

export const otherEnvironment = (name: EnvironmentName): EnvironmentName =>
  name === 'production' ? 'sandbox' : 'production'
