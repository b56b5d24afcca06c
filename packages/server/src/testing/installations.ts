import { existsSync, readFileSync } from 'node:fs'
import { readConfig } from '../config/config.ts'
import { type Context, createContext } from '../context.ts'
import { createApplication, reserveAid } from '../domain/apps/applications.ts'
import { createResource } from '../domain/resources/resources.ts'
import { setUpLinkPath } from '../start/set-up-link.ts'
import type { TestInstallation } from './databases.ts'

/** Opens the databases of a home in this process, even while a server runs on them. */
export async function withContext<R>(
  installation: TestInstallation,
  work: (ctx: Context) => Promise<R>,
): Promise<R> {
  const ctx = await createContext(readConfig(installation.env))
  try {
    return await work(ctx)
  } finally {
    await ctx.close()
  }
}

/** The link for the first owner, where a start without a terminal has put it; empty if there is none. */
export function readSetUpLink({ env }: TestInstallation): string {
  const path = setUpLinkPath(env.GATEHOUSE_DATA as string)
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
}

export interface Credentials {
  aid: string
  privateKey: string
  /** A resource of the application. */
  rid: string
}

/** Creates an application in production with one resource, for a server that will run on this home. */
export function createApplicationIn(installation: TestInstallation): Promise<Credentials> {
  return withContext(installation, async ({ control, masterKey, environments }) => {
    const { database, clock, realTime } = environments.production
    const clocks = { now: clock(), realTime: realTime() }
    const [aid, rid] = [await reserveAid(control, 'production'), 'news']
    return await database.write(async (trx) => {
      const application = { aid, name: 'Test magazine' }
      const { privateKey } = await createApplication(trx, masterKey, application, clocks, 'test')
      await createResource(trx, { aid, rid, name: 'News', url: '' }, clocks.now, 'test')
      return { aid, privateKey, rid }
    })
  })
}
