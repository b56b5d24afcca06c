import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect } from 'vitest'
import { describeHold } from '../../domain/installation/hold.ts'
import { inProcessCli } from '../cli.ts'
import type { TestDatabase, TestInstallation } from '../databases.ts'
import { useFreshFixture } from '../fixtures.ts'
import { fetchBytes } from '../http/fetching.ts'
import { withContext } from '../installations.ts'
import { startProcess } from '../processes/process.ts'
import { useFreshMigratedInstallation } from '../use-service.ts'

export const folderOf = (installation: TestInstallation) =>
  installation.env.GATEHOUSE_DATA as string

/** Starts and stops a service in its own process; returns what it printed. */
export async function startProcessOnce(installation: TestInstallation): Promise<string> {
  const server = await startProcess({ env: installation.env })
  const { status } = await fetchBytes(`${await server.url}/readyz`)
  expect(status).toBe(200)
  await server.stop()
  return server.stdout
}

/** Runs the identity check of a start in this process; returns why the installation is on hold, or an empty string. */
export const startOnce = (installation: TestInstallation, env: Record<string, string> = {}) =>
  withContext({ ...installation, env: { ...installation.env, ...env } }, async ({ gate }) => {
    await gate.check()
    const { hold } = await gate.state()
    return hold ? `ON HOLD: ${describeHold(hold)}` : ''
  })

/** Copies the database files of a stopped service. */
export function copyDatabases(from: string, to: string): void {
  for (const name of readdirSync(from).filter((one) => one.includes('.sqlite'))) {
    cpSync(join(from, name), join(to, name))
  }
}

export const emptyFolder = () => mkdtempSync(join(tmpdir(), 'gatehouse-copy-'))

export const holdOf = (installation: TestInstallation) =>
  withContext(installation, async ({ gate }) => (await gate.state()).hold?.cause)

export const check = (installation: TestInstallation) =>
  withContext(installation, async ({ gate }) => (await gate.check())?.cause)

export async function resume(installation: TestInstallation): Promise<void> {
  expect(await inProcessCli(installation.env).json('resume', '--yes')).toMatchObject({
    resumed: true,
  })
  expect(await check(installation)).toBeUndefined()
}

/** Creates an installation that has been started once, and an empty folder, for each test. */
export function useKnownInstallation(database: TestDatabase) {
  const installation = useFreshMigratedInstallation(database)
  beforeEach(() => check(installation))
  const aside = useFreshFixture(
    async () => ({ folder: emptyFolder() }),
    ({ folder }) => rmSync(folder, { recursive: true }),
  )
  return { installation, aside }
}
