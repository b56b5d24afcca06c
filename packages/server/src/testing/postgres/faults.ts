import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import pg from 'pg'
import type { TestInstallation } from '../databases.ts'
import { overTcp } from './postgres.ts'

/** A proxy to PostgreSQL that can be cut. */
export interface CuttableProxy {
  url: string
  /** Closes every connection and accepts no new ones. */
  cut(): Promise<void>
  restore(): Promise<void>
}

export async function startCuttableProxy(target: string): Promise<CuttableProxy> {
  const to = new URL(target)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(to.port), to.hostname)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = overTcp(target)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
    async restore() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}

/** Blocks every grant and revoke in production, as another writing process would; reads still work. */
export async function blockWrites(
  installation: TestInstallation,
): Promise<{ release(): Promise<void> }> {
  const url = installation.env.GATEHOUSE_DATABASE_URL
  if (url === undefined) {
    const file = new DatabaseSync(
      join(installation.env.GATEHOUSE_DATA as string, 'production.sqlite'),
    )
    file.exec('pragma busy_timeout = 1000; begin immediate')
    return {
      async release() {
        file.exec('rollback')
        file.close()
      },
    }
  }
  const client = new pg.Client({ connectionString: url })
  // A failed test may drop the database while this connection is still open.
  client.on('error', () => {})
  await client.connect()
  await client.query('begin; lock table production.users in exclusive mode')
  return {
    async release() {
      await client.query('rollback')
      await client.end()
    },
  }
}
