import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { toOutageFailure } from './outage.ts'

/** Returns the error that a call throws or rejects with. */
async function errorOf(fn: () => unknown): Promise<unknown> {
  try {
    await fn()
  } catch (error) {
    return error
  }
  throw new Error('nothing went wrong')
}

describe('An error of SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  const open = (name: string) => new DatabaseSync(join(folder, name))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is an outage while another program holds the file', async () => {
    const [one, other] = [open('busy'), open('busy')]
    one.exec('begin exclusive')
    const error = await errorOf(() => other.exec('begin immediate'))
    expect(toOutageFailure(error)).toMatchObject({ code: 'database_unavailable', status: 503 })
    one.close()
    other.close()
  })

  it('is a full disk when there is no room left', async () => {
    const database = open('full')
    database.exec('create table t (x text); pragma max_page_count = 2')
    const error = await errorOf(() =>
      database.prepare('insert into t values (?)').run('x'.repeat(100_000)),
    )
    expect(toOutageFailure(error)).toMatchObject({
      code: 'storage_full',
      status: 503,
      retryAfter: 1,
    })
    database.close()
  })

  it('is an outage when the file is out of reach', async () => {
    const error = await errorOf(() => open('no/such/folder'))
    expect(toOutageFailure(error)).toMatchObject({ code: 'database_unavailable' })
  })

  it('is no outage when the statement is to blame', async () => {
    const database = open('fine')
    database.exec('create table t (x text primary key); insert into t values (1)')
    for (const statement of ['nonsense', 'insert into t values (1)', 'select * from nothing']) {
      expect(toOutageFailure(await errorOf(() => database.exec(statement)))).toBeUndefined()
    }
    database.close()
  })
})

describe('An error of PostgreSQL', () => {
  let client: pg.Client

  const connect = async (url: string, more: pg.ClientConfig = {}) => {
    const made = new pg.Client({ connectionString: url, ...more })
    made.on('error', () => {})
    await made.connect()
    return made
  }

  beforeAll(async () => {
    client = await connect(inject('postgresUrl'))
  })
  afterAll(() => client.end())

  const expectOutage = (error: unknown) =>
    expect(toOutageFailure(error)).toMatchObject({ code: 'database_unavailable', status: 503 })

  it('is an outage when nobody listens', async () => {
    expectOutage(await errorOf(() => connect('postgres://postgres@127.0.0.1:1/x')))
  })

  it('is an outage when there is no such host', async () => {
    expectOutage(await errorOf(() => connect('postgres://postgres@nowhere.invalid/x')))
  })

  it('is an outage when the server ends the connection, and afterwards', async () => {
    const victim = await connect(inject('postgresUrl'))
    const { rows } = await victim.query('select pg_backend_pid() as pid')
    const running = errorOf(() => victim.query('select pg_sleep(10)'))
    await client.query('select pg_terminate_backend($1)', [rows[0].pid])
    expectOutage(await running)
    expectOutage(await errorOf(() => victim.query('select 1')))
  })

  it('is an outage when a statement takes too long', async () => {
    const slow = await connect(inject('postgresUrl'), { options: '-c statement_timeout=20' })
    expectOutage(await errorOf(() => slow.query('select pg_sleep(10)')))
    await slow.end()
  })

  it('is no outage when the statement is to blame', async () => {
    for (const statement of ['nonsense', 'select * from nothing', 'select 1/0']) {
      expect(toOutageFailure(await errorOf(() => client.query(statement)))).toBeUndefined()
    }
  })
})

describe('Anything else', () => {
  it.each([new Error('boom'), new TypeError('x is not a function'), undefined, null, 'text', {}])(
    'is no outage: %s',
    (error) => {
      expect(toOutageFailure(error)).toBeUndefined()
    },
  )
})
