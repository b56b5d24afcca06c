import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../db/database.ts'
import { databases } from '../databases.ts'
import { OPERATION_KINDS } from '../model/operation-kinds.ts'
import { readScript } from '../model/script.ts'
import { EXTRA_KINDS } from './extra-kinds.ts'
import { faultScriptsOf, SCRIPTED_KINDS } from './fault-scripts.ts'
import { FaultRunner } from './run-faults.ts'

const KINDS = [...OPERATION_KINDS, ...EXTRA_KINDS]

describe('the histories with faults', () => {
  it('end with every kind of operation that there is', () => {
    for (const kind of KINDS) {
      const scripts = faultScriptsOf(kind)
      expect(scripts.map((script) => script.at(-1)?.name)).toContain(kind.name)
    }
    const names = KINDS.map(({ name }) => name)
    expect(SCRIPTED_KINDS.filter((name) => !names.includes(name))).toEqual([])
  })

  it('are drawn for a kind that nobody has written one for', () => {
    const [kind] = OPERATION_KINDS as [(typeof OPERATION_KINDS)[number]]
    const [script] = faultScriptsOf({ ...kind, name: 'new' })
    expect(script?.at(-1)?.name).toBe('new')
  })
})

/** A few of the calls; `npm run stress -- faults` tries all of them in all operations. */
const SAMPLE: Record<Engine, (readonly [string, number])[]> = {
  sqlite: [
    ['grant rid=r1 email=ann@example.com ref=ann', 5],
    ['publish rid=r1', 8],
    ['t1: buy price=month ref=ann typed=ann@example.com pay=good; refund tab=t1', 20],
  ],
  postgres: [['grant rid=r1 email=ann@example.com ref=ann', 6]],
}

describe.each(databases)('whichever call fails, on $name,', (database) => {
  let runner: FaultRunner
  beforeAll(() => {
    runner = new FaultRunner(database)
  })
  afterAll(() => runner.close())

  it.each(SAMPLE[database.engine])('%s is done whole or not at all', async (script, every) => {
    const report = await runner.run(readScript(script.replaceAll('; ', '\n')), { every })
    expect(report.defects.join('\n')).toBe('')
    expect(report.faults).toBeGreaterThan(2)
  })
})
