import { setTimeout as sleep } from 'node:timers/promises'
import { findViolations } from '../../db/invariants/invariants.ts'
import { createResource } from '../../domain/resources/resources.ts'
import type { TestDatabase } from '../databases.ts'
import { createApplicationIn, withContext } from '../installations.ts'
import { ServerGroup } from '../processes/server-group.ts'
import { seededRandom } from '../random.ts'
import { type CursorRaceReport, raceCursors } from './cursor-race.ts'

export interface ProcessRace {
  writers: number
  rounds: number
  pagers: number
  /** How many times one or both of the two processes are killed meanwhile. */
  kills: number
  seed: number
}

/** A kill comes at a random moment, up to this long after the servers have started again. */
const MAX_KILL_DELAY_MS = 2_000

/** Pages by cursor while others write, both through two real processes that are killed now and then. */
export async function raceCursorsAtProcesses(
  database: TestDatabase,
  { kills, seed, ...size }: ProcessRace,
): Promise<CursorRaceReport & { kills: number }> {
  const installation = await database.createMigrated()
  const servers = new ServerGroup(installation.env, { count: 2, isFrail: true })
  try {
    const app = await createApplicationIn(installation)
    await servers.start()
    const report = await withContext(installation, async ({ environments: { production } }) => {
      const { read, write } = production.database
      const rids = [app.rid, 'b', 'c']
      for (const rid of rids.slice(1)) {
        const resource = { aid: app.aid, rid, name: rid, url: '' }
        await write((trx) => createResource(trx, resource, production.clock(), 'test'))
      }
      const race = { ...app, ...size, rids, baseUrl: () => servers.url() }
      const killing = killSome(servers, kills, seededRandom(seed))
      const [raced] = await Promise.all([raceCursors(race, read), killing])
      const violations = await findViolations(read, production.clock())
      if (violations.length > 0) throw new Error(JSON.stringify(violations))
      return raced
    })
    const killed = servers.kills
    await servers.stop()
    return { ...report, kills: killed }
  } finally {
    await servers.end()
    await installation.remove()
  }
}

async function killSome(servers: ServerGroup, kills: number, random: () => number): Promise<void> {
  while (servers.kills < kills) {
    await sleep(random() * MAX_KILL_DELAY_MS)
    await servers.kill(random)
    await servers.start()
  }
}
