import { describe, expect, it, vi } from 'vitest'
import { env, useBackup } from '../../testing/backups/use-backup.ts'
import { inProcessCli } from '../../testing/cli.ts'
import { databases } from '../../testing/databases.ts'
import {
  KilledRestores,
  type KillPoint,
  requireNoService,
  requireRefusals,
} from '../../testing/kills/killed-restore.ts'

/** Starts many processes, on a machine that may be busy with other tests. */
vi.setConfig({ testTimeout: 600_000 })

describe.each(databases)('a restore on $name that is killed', (database) => {
  const { path, service } = useBackup(database)
  const restores = () => new KilledRestores(database, { env, backup: path, context: service.ctx })

  it('keeps everybody away until it was run again or given up', async () => {
    const all = restores()
    const steps = await all.listSteps()
    const inserts = steps.filter((step) => step.startsWith('insert into "users"'))
    expect(inserts).toHaveLength(2)
    const points: KillPoint[] = [
      {
        when: 'before',
        nth: 1,
        step: steps.find((one) => one.startsWith('create table migr')) as string,
      },
      { when: 'before', nth: 2, step: inserts[1] as string },
    ]
    for (const point of points) {
      const target = await all.kill(point)
      await requireRefusals(target, path)
      await all.requireRerun(target)
      await target.remove()
    }
  })

  it('is refused by a service', async () => {
    const all = restores()
    const steps = await all.listSteps()
    const end = steps.findLast((step) => /^(rmSync restore|drop schema)/.test(step)) as string
    const nth = steps.filter((step) => step === end).length
    const target = await all.kill({ when: 'before', nth, step: end })
    await requireNoService(target)
    await all.requireAbandoned(target)
    expect(await inProcessCli(target.env).json('restore', '--abandon')).toEqual({
      abandoned: false,
    })
    await target.remove()
  })
})
