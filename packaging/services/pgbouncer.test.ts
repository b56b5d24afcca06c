import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { databases } from '../../packages/server/src/testing/databases.ts'
import { startTestService } from '../../packages/server/src/testing/service.ts'
import { freePort, stop, until } from '../../scripts/loopback.mjs'
import { requireTools } from '../../scripts/tools.mjs'

const postgres = databases.find(({ engine }) => engine === 'postgres') as (typeof databases)[0]

describe('behind PgBouncer', () => {
  let pooler: ChildProcess
  let folder: string
  afterEach(async () => {
    await stop(pooler)
    rmSync(folder, { recursive: true, force: true })
  })

  /** Starts PgBouncer in front of the server; returns the URL that leads through it. */
  async function startPooler(server: string, settings: string): Promise<string> {
    requireTools({ pgbouncer: 'pgbouncer' })
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-pgbouncer-'))
    chmodSync(folder, 0o755)
    const [url, port] = [new URL(server), await freePort()]
    const { username, password } = url
    // The test server may listen at a socket, which PgBouncer is given as its folder.
    const host = url.searchParams.get('host') ?? url.hostname
    url.searchParams.delete('host')
    url.hostname = '127.0.0.1'
    writeFileSync(join(folder, 'users'), `"${username}" "${decodeURIComponent(password)}"\n`)
    const lines = ['[databases]', `* = host=${host} port=${url.port}`, '[pgbouncer]']
    lines.push('listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =')
    lines.push('auth_type = trust', `auth_file = ${folder}/users`, settings)
    writeFileSync(join(folder, 'settings.ini'), lines.join('\n'))
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    pooler = spawn('pgbouncer', ['-q', ...user, join(folder, 'settings.ini')], { stdio: 'inherit' })
    await until('PgBouncer', () => isListening(port))
    url.port = String(port)
    return url.href
  }

  const isListening = (port: number) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false)).once('connect', () => socket.destroy())
    })

  it.each([
    ['transaction', '', 'unsupported startup parameter'],
    ['session', '', 'unsupported startup parameter'],
    ['transaction', 'ignore_startup_parameters = options', 'drops the option search_path'],
  ])('the start is refused with one line, in the mode %s %s', async (mode, more, reason) => {
    const installation = await postgres.createMigrated()
    const direct = installation.env.GATEHOUSE_DATABASE_URL as string
    const url = await startPooler(direct, `pool_mode = ${mode}\n${more}`)
    const env = { GATEHOUSE_DATABASE_URL: url, GATEHOUSE_DATABASE_WAIT: '0' }
    const start = startTestService(postgres, { installation, env })
    await expect(start).rejects.toThrow(reason)
    await stop(pooler)
    await installation.remove()
  })
})
