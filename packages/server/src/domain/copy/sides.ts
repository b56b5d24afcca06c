import type { ControlDatabase, EnvironmentDatabase } from '../../db/database.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import type { Stores } from '../downloads/storage/storage.ts'

export type EnvironmentName = 'production' | 'sandbox'

/** The parts of an environment that copying needs. */
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

/** The source and the target of a copy. */
export interface Direction {
  from: AppOnSide
  to: AppOnSide
}

export const otherEnvironment = (name: EnvironmentName): EnvironmentName =>
  name === 'production' ? 'sandbox' : 'production'
