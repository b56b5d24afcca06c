import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../packages/server/src/testing/databases.ts'
import { EXTRA_KINDS } from '../packages/server/src/testing/faults/extra-kinds.ts'
import {
  faultScriptsOf,
  OUTSIDE_KINDS,
} from '../packages/server/src/testing/faults/fault-scripts.ts'
import { type FaultReport, FaultRunner } from '../packages/server/src/testing/faults/run-faults.ts'
import { OPERATION_KINDS } from '../packages/server/src/testing/model/operation-kinds.ts'
import { readScript } from '../packages/server/src/testing/model/script.ts'
import { setting } from './settings.ts'

const kinds = process.env.FAULT_KINDS?.split(',')
const engines = process.env.FAULT_ENGINES?.split(',')
const every = setting('FAULT_EVERY', 1)

/** A history to play instead, such as `FAULT_SCRIPT="p1: grant email=a@example.com; erase who=@p1"`. */
const own = process.env.FAULT_SCRIPT?.replaceAll('; ', '\n')

const isWanted = (names: readonly string[] | undefined, name: string) =>
  names?.includes(name) ?? true
const kindsOfAll = [...OPERATION_KINDS, ...EXTRA_KINDS]
const all = own
  ? [{ name: 'it', scripts: [readScript(own)] }]
  : kindsOfAll
      .filter(({ name }) => isWanted(kinds, name))
      .map((kind) => ({ name: kind.name, scripts: faultScriptsOf(kind) }))

describe.each(databases.filter(({ engine }) => isWanted(engines, engine)))(
  'whichever call fails, on $name,',
  (database) => {
    const runner = new FaultRunner(database)
    const reports: FaultReport[] = []
    beforeAll(() => console.info(`FAULT_EVERY=${every}`))
    afterAll(async () => {
      await runner.close()
      const sum = (count: (report: FaultReport) => number) =>
        reports.reduce((total, report) => total + count(report), 0)
      console.info(database.name, {
        operations: reports.length,
        calls: sum(({ calls }) => Object.values(calls).reduce((one, other) => one + other, 0)),
        faults: sum(({ faults }) => faults),
        defects: sum(({ defects }) => defects.length),
      })
    })

    it.each(all)(
      '$name is done whole or not at all, and once when repeated',
      async ({ name, scripts }) => {
        const defects: string[] = []
        for (const script of scripts) {
          const report = await runner.run(script, { every })
          const { defects: found, ...figures } = report
          console.info(database.name, JSON.stringify(figures))
          if (found.length > 0) console.info(found.join('\n\n'))
          reports.push(report)
          defects.push(...found)
          if (!OUTSIDE_KINDS.has(name)) expect(report.calls.statement).toBeGreaterThan(0)
        }
        expect(defects.join('\n\n')).toBe('')
      },
    )
  },
)
