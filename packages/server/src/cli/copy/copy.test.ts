import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { reserveAid } from '../../domain/apps/applications.ts'
import { listAudit } from '../../domain/staff/audit.ts'
import { type Cli, inProcessCli } from '../../testing/cli.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { useApplication, useService } from '../../testing/use-service.ts'

interface Copied {
  from: string
  to: string
  version?: string
  items: { kind: string; rid: string; status: string; problem?: string | null }[]
}

describe.each(entryPointDatabases)('copying by command line on $name', (database) => {
  const service = useService(database, { useRealTime: true })
  const draft = useApplication(service, { environment: 'sandbox', resources: ['one', 'two'] })
  const live = useApplication(service)
  let cli: Cli
  beforeAll(async () => {
    cli = inProcessCli(service.installation.env)
    await addDownload(draft, 'one')
  })

  const copy = (...more: string[]) => cli.json<Copied>('app', 'copy', draft.aid, ...more)
  const details = async () =>
    (await listAudit(service.ctx.control.read, {}, { offset: 0, limit: 1 })).data[0]

  it('pairs, shows, copies in part and in whole, and ends the pairing', async () => {
    const { aid } = draft
    expect((await cli.run('app', 'copy', aid, '--to', 'production')).stderr).toContain('not paired')
    expect((await cli.run('app', 'pair', aid)).stderr).toContain('--with')
    await cli.json('app', 'pair', live.aid, '--with', aid)
    expect(await cli.json('app', 'show', aid)).toMatchObject({ paired_with: live.aid })

    const dry = await copy('--to', 'production', '--dry-run')
    expect(dry).toMatchObject({ from: aid, to: live.aid, version: expect.any(String) })
    expect(dry.items.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      ...['resource new', 'resource new', 'brand same', 'templates same'],
    ])
    const text = await cli.run('app', 'copy', aid, '--to', 'production', '--dry-run')
    expect(text.stdout).toMatch(/resource +Resource one \(one\) +new +new file Download of one/)

    const first = await copy('--to', 'production', '--rid', 'one', '--brand')
    expect(first.items).toMatchObject([{ rid: 'one', problem: null }])
    const rest = await cli.json<Copied>('app', 'copy', live.aid, '--to', 'production')
    expect(rest.items).toMatchObject([{ rid: 'two', problem: null }])
    expect(await details()).toMatchObject({
      ...{ action: 'application.copy', email: 'command line', aid, outcome: 'done' },
      details: { target: 'production', resources: 1, brand: false, failed: 0 },
    })
    const nothing = await cli.run('app', 'copy', aid, '--to', 'production')
    expect(nothing.stdout).toContain('everything is the same')
    expect((await copy('--to', 'sandbox')).items).toEqual([])
    const unknown = ['--to', 'production', '--rid', 'nowhere']
    expect((await cli.run('app', 'copy', aid, ...unknown)).code).toBe(1)
    expect((await cli.run('app', 'copy', aid, ...unknown, '--dry-run')).code).toBe(1)

    await cli.json('app', 'unpair', live.aid)
    expect(await cli.json('app', 'show', aid)).toMatchObject({ paired_with: null })
    expect((await cli.run('app', 'unpair', aid)).stderr).toContain('not paired')
    const made = await cli.json<{ paired_with: string }>('app', 'pair', aid, '--new')
    expect(await cli.json('app', 'show', made.paired_with)).toMatchObject({
      ...{ environment: 'production', name: 'Test magazine', paired_with: aid },
    })
  })

  it('keeps the pair in a backup', async () => {
    const folder = service.installation.env.GATEHOUSE_DATA as string
    const masterKey = readFileSync(join(folder, 'master.key'), 'utf8').trim()
    const file = join(folder, 'pairs.backup')
    await cli.json('backup', file)
    const other = await database.createMigrated()
    try {
      const restored = inProcessCli({ ...other.env, GATEHOUSE_MASTER_KEY: masterKey })
      await restored.json('restore', file)
      const { paired_with: partner } = await cli.json('app', 'show', draft.aid)
      expect(partner).toEqual(expect.any(String))
      expect(await restored.json('app', 'show', draft.aid)).toMatchObject({ paired_with: partner })
    } finally {
      await other.remove()
    }
  })

  it('finds a pair that lost an application, says how to end it, and ends it', async () => {
    const { control } = service.ctx
    const gone = await reserveAid(control, 'sandbox')
    const row = { production_aid: live.aid, sandbox_aid: gone, created_at: 1 }
    const doctor = async () => (await cli.run('doctor', '--deep')).stdout
    expect(await doctor()).toMatch(/^ok +paired applications +every pair has both/m)
    await control.write((trx) => trx.insertInto('application_pairs').values(row).execute())
    const found = await doctor()
    expect(found).toMatch(
      new RegExp(`^warning +paired applications +${gone} of a pair no longer`, 'm'),
    )
    expect(found).toContain(`gatehouse app unpair ${live.aid}`)
    expect((await cli.run('app', 'copy', live.aid, '--to', 'sandbox')).stderr).toContain(
      'no longer exists',
    )
    await cli.json('app', 'unpair', gone)
    expect(await doctor()).toMatch(/^ok +paired applications/m)
  })
})
