import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { OperatorError } from '../../errors.ts'
import { databases } from '../../testing/databases.ts'
import { useInstallation } from '../../testing/use-service.ts'
import { environmentMigrations } from '../migrations.ts'
import { openDatabase } from '../open.ts'

const open = (url: string) =>
  openDatabase({ engine: 'postgres', url, connections: 2 }, 'production', environmentMigrations)

async function refusalOf(url: string): Promise<{ message: string; took: number }> {
  const startedAt = performance.now()
  const error = await open(url).then(
    async (database) => await database.close(),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(OperatorError)
  const { message } = error as OperatorError
  expect(message).toMatch(/^GATEHOUSE_DATABASE_URL: [^\n]+$/)
  expect(message).not.toContain('hunter22')
  return { message, took: performance.now() - startedAt }
}

const message = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
const int16 = (value: number) => Buffer.from([value >> 8, value & 0xff])
const READY = message('Z', Buffer.from('I'))

/** Implements just enough of the PostgreSQL protocol to report settings. */
function tellSettings(socket: Socket, values: Record<string, string>): void {
  const columns = Object.keys(values).map((name) =>
    Buffer.concat([
      Buffer.from(`${name}\0`),
      Buffer.alloc(6),
      int16(0),
      int16(25),
      Buffer.alloc(8),
    ]),
  )
  const cells = Object.values(values).map((value) =>
    Buffer.concat([Buffer.from([0, 0, 0, value.length]), Buffer.from(value)]),
  )
  socket.write(
    Buffer.concat([
      message('T', Buffer.concat([int16(columns.length), ...columns])),
      message('D', Buffer.concat([int16(cells.length), ...cells])),
      message('C', Buffer.from('SELECT 1\0')),
      READY,
    ]),
  )
}

describe('opening PostgreSQL', () => {
  let server: Server | undefined
  const sockets = new Set<Socket>()
  const installation = useInstallation(databases[1])
  let good: URL
  beforeAll(async () => {
    good = new URL(installation.env.GATEHOUSE_DATABASE_URL as string)
  })
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    server?.close()
    server = undefined
  })

  async function serve(onConnection: (socket: Socket) => void): Promise<string> {
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      onConnection(socket)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server?.once('listening', resolve))
    return `postgres://gate:hunter22@127.0.0.1:${(server.address() as AddressInfo).port}/gate`
  }

  const serveSettings = (values: Record<string, string>) =>
    serve((socket) => {
      socket.once('data', () => {
        socket.write(Buffer.concat([message('R', Buffer.alloc(4)), READY]))
        socket.on('data', (chunk) => {
          if (chunk[0] === 'Q'.charCodeAt(0)) tellSettings(socket, values)
        })
      })
    })

  const SETTINGS = { version: '140000', encoding: 'UTF8', path: 'production' }

  it('ends at once where nobody listens', async () => {
    const url = await serve(() => {})
    await new Promise((resolve) => server?.close(resolve))
    const { message, took } = await refusalOf(url)
    expect(message).toContain("can't be reached")
    expect(message).toContain('ECONNREFUSED')
    expect(took).toBeLessThan(2_000)
  })

  it('ends after a few seconds where nobody answers', async () => {
    const { message, took } = await refusalOf(await serve(() => {}))
    expect(message).toContain("can't be reached")
    expect(took).toBeLessThan(20_000)
  })

  it('ends where somebody answers who is no PostgreSQL', async () => {
    await refusalOf(await serve((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    await refusalOf(await serve((socket) => socket.destroy()))
  })

  it('refuses a version that is too old', async () => {
    const { message } = await refusalOf(await serveSettings({ ...SETTINGS, version: '130014' }))
    expect(message).toContain('PostgreSQL 13 is too old; 14 or newer is required')
  })

  it('refuses a database that can’t hold every letter', async () => {
    const client = new pg.Client({ connectionString: inject('postgresUrl') })
    await client.connect()
    const name = `latin_${good.pathname.slice(1)}`
    await client.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`)
    const url = new URL(good)
    url.pathname = name
    try {
      expect((await refusalOf(url.href)).message).toContain('LATIN1; it must be UTF8')
    } finally {
      await client.query(`drop database ${name} with (force)`)
      await client.end()
    }
  })

  it('refuses a way there that drops our settings: all environments would share their tables', async () => {
    const { message } = await refusalOf(await serveSettings({ ...SETTINGS, path: 'public' }))
    expect(message).toContain('search_path')
  })

  it('refuses an unknown database and an unknown user', async () => {
    const nowhere = new URL(good)
    nowhere.pathname = 'nowhere'
    expect((await refusalOf(nowhere.href)).message).toContain('"nowhere" does not exist')
    const nobody = new URL(good)
    nobody.username = 'nobody'
    nobody.password = 'hunter22'
    expect((await refusalOf(nobody.href)).message).toContain('"nobody" does not exist')
  })

  it('keeps each environment in its schema, whatever options the address brings', async () => {
    const url = new URL(good)
    url.searchParams.set('options', '-c search_path=public -c work_mem=8MB')
    const database = await open(url.href)
    const { rows } = await database.snapshot(async (db) => {
      return await sql<{ path: string; memory: string }>`
        select current_setting('search_path') as path, current_setting('work_mem') as memory`.execute(
        db,
      )
    })
    expect(rows).toEqual([{ path: 'production', memory: '8MB' }])
    await database.close()
  })

  it('gives migrations and snapshots the time that they need, and nothing else', async () => {
    const own = await databases[1].createEmpty()
    const url = new URL(own.env.GATEHOUSE_DATABASE_URL as string)
    const holder = new pg.Client({ connectionString: url.href })
    await holder.connect()
    await holder.query('select pg_advisory_lock(7204118)')
    // Instead of the default of 20 seconds. Longer than a busy machine keeps a short query waiting.
    url.searchParams.set('query_timeout', '2000')
    const opening = openDatabase<{ seen: { setting: string } }>(
      { engine: 'postgres', url: url.href, connections: 2 },
      'production',
      [
        {
          name: '0001_settings',
          statements: [
            `create table seen as select current_setting('statement_timeout') as setting`,
          ],
        },
      ],
    )
    await holder.query('select pg_sleep(2.2)')
    await holder.end()
    const database = await opening
    const tooLong = sql`select pg_sleep(2.2)`
    const inRequest = expect(tooLong.execute(database.read)).rejects.toThrow('timeout')
    const rows = await database.snapshot(async (db) => {
      await tooLong.execute(db)
      const settings = sql<{ idle: string; statement: string }>`
        select current_setting('idle_in_transaction_session_timeout') as idle,
          current_setting('statement_timeout') as statement`
      return [
        ...(await db.selectFrom('seen').selectAll().execute()),
        ...(await settings.execute(db)).rows,
      ]
    })
    expect(rows).toEqual([{ setting: '0' }, { idle: '0', statement: '0' }])
    await inRequest
    await database.close()
    await own.remove()
  })
})

it('a database that was opened and asked nothing leaves no connection behind', async () => {
  const installation = await databases[1].createEmpty()
  const url = installation.env.GATEHOUSE_DATABASE_URL as string
  await (await open(url)).close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const others = async () => {
    const { rows } = await client.query(
      `select application_name from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    return rows
  }
  // The server takes a moment to notice that a connection was closed.
  await expect.poll(others).toEqual([])
  await client.end()
  await installation.remove()
})
