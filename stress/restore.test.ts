import { describe, expect, it } from 'vitest'
import { env, useBackup } from '../packages/server/src/testing/backups/use-backup.ts'
import { databases } from '../packages/server/src/testing/databases.ts'
import {
  isMarked,
  KilledRestores,
  type KillPoint,
  requireRefusals,
} from '../packages/server/src/testing/kills/killed-restore.ts'
import { setting } from './settings.ts'

const kills = setting('RESTORE_KILLS', 30)

const isInsert = (step: string) => /^insert into "(?!meta)/.test(step)
/** What begins or ends a phase. */
const isPhase = (step: string) => /^(commit|rmSync|renameSync|drop schema|create schema)/.test(step)

/** Returns points that are spread over all phases and all tables. */
function choosePoints(steps: readonly string[]): KillPoint[] {
  const seen = new Map<string, number>()
  const all = steps.map((step, at): KillPoint => {
    const nth = (seen.get(step) ?? 0) + 1
    seen.set(step, nth)
    return { when: at % 2 === 0 ? 'before' : 'after', nth, step }
  })
  const phases = all.filter(({ step }) => isPhase(step))
  // A later insert into a table belongs to another database, or has another number of rows.
  const tables = all.filter(({ step }) => isInsert(step))
  return [...spread(phases, Math.ceil(kills / 3)), ...spread(tables, kills - Math.ceil(kills / 3))]
}

const spread = <T>(all: readonly T[], count: number): T[] =>
  count >= all.length
    ? [...all]
    : Array.from({ length: count }, (_, n) => all[Math.floor((n * all.length) / count)] as T)

describe.each(databases)('a restore on $name', (database) => {
  const { path, service } = useBackup(database)

  it(`is refused to everybody and whole after another go, killed at ${kills} points`, async () => {
    const restores = new KilledRestores(database, { env, backup: path, context: service.ctx })
    const points = choosePoints(await restores.listSteps())
    let refused = 0
    for (const [n, point] of points.entries()) {
      console.info(database.name, n, point)
      const target = await restores.kill(point)
      if (await isMarked(target)) {
        refused++
        await requireRefusals(target, path)
        if (n % 5 === 4) await restores.requireAbandoned(target)
        else await restores.requireRerun(target)
      } else await restores.requireUntouchedOrWhole(target)
      await target.remove()
    }
    console.info(
      `${database.name}: ${points.length} kills, ${refused} of them refused to everybody`,
    )
    expect(refused).toBeGreaterThan(points.length * 0.8)
  })
})
