import type { ControlDatabase, Database, EnvironmentDatabase } from '../db/database.ts'

/** The three databases of an installation. */
export interface InstallationDatabases {
  control: ControlDatabase
  production: EnvironmentDatabase
  sandbox: EnvironmentDatabase
}

export const ENVIRONMENT_DATABASES = ['production', 'sandbox'] as const
export const DATABASES = ['control', ...ENVIRONMENT_DATABASES] as const

export type PerDatabase<T> = Record<(typeof DATABASES)[number], T>
export type PerEnvironment<T> = Record<(typeof ENVIRONMENT_DATABASES)[number], T>

/** All three have a table `meta`, and that is all that is used of them here. */
export const anyOf = (databases: InstallationDatabases, name: keyof InstallationDatabases) =>
  databases[name] as unknown as Database<unknown>
