import { chmodSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inProcessCli } from '../../testing/cli.ts'
import type { Checkup } from '../../testing/commands/checkup.ts'
import { databases } from '../../testing/databases.ts'
import { useMigratedInstallation } from '../../testing/use-service.ts'

function scanner(exitCode: number): string {
  const path = join(mkdtempSync(join(tmpdir(), 'gatehouse-scanner-')), 'scan')
  writeFileSync(path, `#!/bin/sh\nexit ${exitCode}\n`)
  chmodSync(path, 0o755)
  return path
}

describe('doctor', () => {
  const installation = useMigratedInstallation(databases[0])

  async function checkOf(command: string) {
    const cli = inProcessCli({ ...installation.env, GATEHOUSE_SCAN_COMMAND: command })
    const { stdout } = await cli.run('doctor', '--json')
    return (JSON.parse(stdout) as Checkup).checks.filter(({ check }) => check === 'scanner')
  }

  it('lets the scanner look at a harmless file, if there is one', async () => {
    expect(await checkOf('')).toEqual([])
    const path = scanner(0)
    const message = `${path} can look at uploads`
    expect(await checkOf(path)).toEqual([{ check: 'scanner', status: 'ok', message }])
    for (const broken of [scanner(2), '/nowhere/scan']) {
      const [found] = await checkOf(broken)
      expect(found?.status).toBe('failed')
      expect(found?.message).toContain('could not be scanned')
    }
    const folder = installation.env.GATEHOUSE_DATA as string
    expect(readdirSync(folder).filter((name) => name.startsWith('scan-'))).toEqual([])
  })
})
