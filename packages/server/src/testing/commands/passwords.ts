import type { TestInstallation } from '../databases.ts'

/** A password that no command may print. */
export const PASSWORD = 'not-for-your-eyes'

/** Returns the settings with a password in the database URL, if there is one. */
export function withPasswords(installation: TestInstallation): Record<string, string> {
  const { GATEHOUSE_DATABASE_URL } = installation.env
  if (GATEHOUSE_DATABASE_URL === undefined) return installation.env
  const url = new URL(GATEHOUSE_DATABASE_URL)
  url.password = PASSWORD
  return { ...installation.env, GATEHOUSE_DATABASE_URL: url.href }
}
