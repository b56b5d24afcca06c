import { describe, expect, it } from 'vitest'
import { inProcessCli } from '../cli.ts'
import { databases } from '../databases.ts'
import { useService } from '../use-service.ts'
import { drawHistory } from './draw.ts'
import { DRAWN_KINDS, OPERATION_KINDS } from './operation-kinds.ts'
import { OUT_OF_SCOPE } from './out-of-scope.ts'
import { runHistories } from './run-histories.ts'
import { readScript, writeOperation, writeScript } from './script.ts'
import { listCommands, listRoutes, listStaffChanges } from './systems/entry-points.ts'

const STEPS = Number(process.env.MODEL_STEPS ?? 300)
const LENGTH = Number(process.env.MODEL_LENGTH ?? 75)
/** The suite plays the same histories each time, so that it judges nothing but a change; the stress run
 * draws new ones. */
const seed = Number(process.env.MODEL_SEED ?? 20_261_116)

describe('random histories over all entry points', () => {
  const outcomes = new Map<string, string[]>()

  it.each(databases)(
    'hold against every oracle on $name',
    { timeout: 600_000 },
    async (database) => {
      console.info(`MODEL_SEED=${seed} MODEL_LENGTH=${LENGTH}`)
      const hunted = await runHistories(database, { seed, steps: STEPS, length: LENGTH })
      outcomes.set(database.engine, hunted.outcomes)
      expect(hunted.steps).toBe(STEPS)
    },
  )

  it('come to the same on both databases', () => {
    const [sqlite = [], postgres = []] = databases.map(({ engine }) => outcomes.get(engine))
    const at = sqlite.findIndex((outcome, i) => outcome !== postgres[i])
    const history = drawHistory(DRAWN_KINDS, seed + Math.floor(at / LENGTH), LENGTH)
    const operation = at < 0 ? '' : writeOperation(history[at % LENGTH] as (typeof history)[0])
    expect(`${operation}: ${sqlite[at]}`).toBe(`${operation}: ${postgres[at]}`)
  })
})

describe('the alphabet', () => {
  const reached = new Set(OPERATION_KINDS.flatMap(({ reaches }) => reaches))
  const service = useService(databases[0])

  it('has every operation of the API, and every page of a reader', () => {
    const routes = listRoutes(service.app).filter((route) =>
      /^[A-Z]+ \/(r2|checkout|manage|events|d|files|images)\//.test(route),
    )
    expect(routes).toContain('POST /r2/access/grant')
    const missing = routes.filter((route) => !reached.has(route) && !(route in OUT_OF_SCOPE))
    expect(missing).toEqual([])
  })

  it('has every change that staff can make in an application', () => {
    const routes = listStaffChanges(service.app)
    expect(routes).toContain('staff POST /access/grant')
    const missing = routes.filter((route) => !reached.has(route) && !(route in OUT_OF_SCOPE))
    expect(missing).toEqual([])
  })

  it('has every command of the command line', async () => {
    const commands = await listCommands(inProcessCli(service.installation.env))
    expect(commands).toContain('gatehouse access grant')
    const missing = commands.filter((one) => !reached.has(one) && !(one in OUT_OF_SCOPE))
    expect(missing).toEqual([])
  })

  it('leaves out only what there is, each with a reason', async () => {
    const commands = await listCommands(inProcessCli(service.installation.env))
    const all = new Set([...commands, ...listRoutes(service.app), ...listStaffChanges(service.app)])
    expect(Object.keys(OUT_OF_SCOPE).filter((one) => !all.has(one))).toEqual([])
  })
})

describe('a script', () => {
  it('reads as it was written', () => {
    const history = drawHistory(DRAWN_KINDS, seed, 200)
    expect(readScript(writeScript(history))).toEqual(history)
  })
})
