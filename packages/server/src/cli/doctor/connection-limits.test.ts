import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inProcessCli } from '../../testing/cli.ts'
import type { Checkup } from '../../testing/commands/checkup.ts'
import { databases, type TestInstallation } from '../../testing/databases.ts'

let installation: TestInstallation
let admin: pg.Client
let database: string
let env: Record<string, string>
const role = `few_${process.pid}`

beforeAll(async () => {
  installation = await databases[1].createMigrated()
  const address = new URL(installation.env.GATEHOUSE_DATABASE_URL as string)
  database = address.pathname.slice(1)
  admin = new pg.Client({ connectionString: address.href })
  await admin.connect()
  await admin.query(`create role ${role} login in role pg_read_all_data`)
  for (const schema of ['control', 'production', 'sandbox']) {
    await admin.query(`grant all on schema ${schema} to ${role};
      grant all on all tables in schema ${schema} to ${role}`)
  }
  address.username = role
  env = { ...installation.env, GATEHOUSE_DATABASE_URL: address.href }
})
afterAll(async () => {
  await admin.query(`drop owned by ${role}; drop role ${role}`)
  await admin.end()
  await installation.remove()
})

async function findingOf(settings: Record<string, string> = {}) {
  const { checks } = await inProcessCli({ ...env, ...settings }).json<Checkup>('doctor')
  return checks.find(({ check }) => check === 'database connections')
}

it('doctor compares the connections that are needed with the limits of server, database and user', async () => {
  expect(await findingOf()).toMatchObject({
    status: 'ok',
    message:
      'up to 33 connections are needed (1 x 3 x 10, and 3 for a command); the server allows 397',
  })
  expect(await findingOf({ GATEHOUSE_WORKERS: '20' })).toMatchObject({
    status: 'warning',
    message:
      'up to 603 connections are needed (20 x 3 x 10, and 3 for a command), but the server allows 397',
  })
  await admin.query(`alter database ${database} connection limit 32`)
  expect(await findingOf()).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('but the database allows 32'),
    todo: expect.stringContaining('lower GATEHOUSE_DATABASE_CONNECTIONS'),
  })
  await admin.query(`alter role ${role} connection limit 20`)
  expect(await findingOf()).toMatchObject({
    message: expect.stringContaining('the user allows 20'),
  })
})

it('commands say that no connection is left', async () => {
  await admin.query(`alter role ${role} connection limit 0`)
  const { code, stderr } = await inProcessCli(env).run('app', 'list', '--env', 'sandbox')
  expect(code).toBe(1)
  expect(stderr).toBe(
    `gatehouse: GATEHOUSE_DATABASE_URL: PostgreSQL has no connection left (too many connections for role "${role}")\n`,
  )
})
