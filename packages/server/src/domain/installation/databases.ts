import type { ControlDatabase, Database, EnvironmentDatabase } from '../../db/database.ts'

export interface InstallationDatabases {
  control: ControlDatabase
  production: EnvironmentDatabase
  sandbox: EnvironmentDatabase
}

export const ENVIRONMENT_DATABASES = ['production', 'sandbox'] as const
export const DATABASES = ['control', ...ENVIRONMENT_DATABASES] as const

export type PerDatabase<T> = Record<(typeof DATABASES)[number], T>
export type PerEnvironment<T> = Record<(typeof ENVIRONMENT_DATABASES)[number], T>

/** Gives access to the table `meta`, which all three databases have. */
export const asMetaDatabase = (
  databases: InstallationDatabases,
  name: keyof InstallationDatabases,
) => databases[name] as unknown as Database<unknown>
