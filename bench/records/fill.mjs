// Creates an installation with a number of records, in three steps, each in its own process: the product creates
// applications and keys, the database itself generates the rows, and then the product counts them.
// `node fill.mjs applications|rows|counts FOLDER RECORDS [URL]`
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApplication, reserveAid } from '../../packages/server/dist/applications.js'
import { readConfig } from '../../packages/server/dist/config.js'
import { createContext } from '../../packages/server/dist/context.js'
import { recount } from '../../packages/server/dist/counting.js'
import { fillPostgres } from './fill-postgres.mjs'
import { fillSqlite } from './fill-sqlite.mjs'

const [step, folder, count, url] = process.argv.slice(2)
const records = Number(count)

/** Some small applications, and the one that is queried. */
const SIZES = { a: records / 500, b: records / 100, c: records / 50, d: records }

const env = { GATEHOUSE_DATA: folder, ...(url ? { GATEHOUSE_DATABASE_URL: url } : {}) }

async function withContext(work) {
  const ctx = await createContext(readConfig(env))
  try {
    return await work(ctx)
  } finally {
    await ctx.close()
  }
}

async function createOne(ctx, letter) {
  const { database, clock, realTime } = ctx.environments.production
  const aid = await reserveAid(ctx.control, 'production')
  const application = { aid, name: `Magazine ${letter}` }
  const clocks = { now: clock(), realTime: realTime() }
  const { privateKey } = await database.write((trx) =>
    createApplication(trx, ctx.masterKey, application, clocks, 'bench'),
  )
  return { aid, privateKey, letter, records: SIZES[letter] }
}

const made = join(folder, 'applications.json')

const steps = {
  async applications() {
    const applications = await withContext(async (ctx) => {
      const all = []
      for (const letter of Object.keys(SIZES)) all.push(await createOne(ctx, letter))
      return all
    })
    writeFileSync(made, JSON.stringify(applications))
  },
  // Nothing else has the file open: the connections of the previous step ended with its process.
  async rows() {
    const applications = JSON.parse(readFileSync(made, 'utf8'))
    const now = Math.floor(Date.now() / 1000)
    if (url) await fillPostgres(url, applications, now)
    else fillSqlite(join(folder, 'production.sqlite'), applications, now)
  },
  async counts() {
    await withContext(async ({ environments: { production } }) => {
      const { database, clock } = production
      await database.write((trx) => recount(trx, database.engine, clock()), { batch: true })
    })
    const { aid, privateKey } = JSON.parse(readFileSync(made, 'utf8')).at(-1)
    const ready = { aid, privateKey, records, made: Math.floor(Date.now() / 1000) }
    writeFileSync(join(folder, 'ready.json'), JSON.stringify(ready))
  },
}

await steps[step]()
