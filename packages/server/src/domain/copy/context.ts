import type { ControlDatabase, EnvironmentDatabase } from '../../db/database.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import type { Stores } from '../downloads/storage/storage.ts'

export type EnvironmentName = 'production' | 'sandbox'

/** The parts of an environment that copying needs. */
export interface CopyEnvironment {
  name: EnvironmentName
  database: EnvironmentDatabase
  stores: Stores
  clock(): Seconds
  realTime(): Millis
}

/** Both environments, and the database that knows which applications are paired. */
export interface CopyContext {
  control: ControlDatabase
  environments: Readonly<Record<EnvironmentName, CopyEnvironment>>
}

/** An application in its environment. */
export interface AppInEnvironment {
  env: CopyEnvironment
  aid: string
}

/** The source and the target of a copy. */
export interface Direction {
  from: AppInEnvironment
  to: AppInEnvironment
}

export const otherEnvironment = (name: EnvironmentName): EnvironmentName =>
  name === 'production' ? 'sandbox' : 'production'
