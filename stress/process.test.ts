import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Gatehouse } from '@gatehouse/sdk'
import { describe, expect, it, vi } from 'vitest'
import { findViolations } from '../packages/server/src/db/invariants/invariants.ts'
import { databases, type TestInstallation } from '../packages/server/src/testing/databases.ts'
import {
  mountSmallDisk,
  removeSmallDisk,
} from '../packages/server/src/testing/faults/small-disk.ts'
import { createApplicationIn, withContext } from '../packages/server/src/testing/installations.ts'
import { startProcess } from '../packages/server/src/testing/processes/process.ts'

describe('a disk that is full', () => {
  it('stops writing only, and only until there is space again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'))
    if (!mountSmallDisk(folder, '6m')) return
    const installation: TestInstallation = {
      env: { GATEHOUSE_DATA: folder },
      remove: async () => removeSmallDisk(folder),
    }
    const ballast = join(folder, 'ballast')
    const app = await createApplicationIn(installation)
    writeFileSync(ballast, Buffer.alloc(1_000_000))
    const server = await startProcess({ env: installation.env })
    const client = new Gatehouse({ baseUrl: await server.url, ...app })
    const granted: string[] = []
    const grant = async (user_ref: string) => {
      await client.grantAccess({ rid: app.rid, email: `${user_ref}@example.com`, user_ref })
      granted.push(user_ref)
    }
    let refusal: unknown
    for (let n = 0; refusal === undefined; n++) {
      await grant(`reader${n}`).catch((error: unknown) => {
        refusal = error
      })
    }
    expect(refusal).toMatchObject({ status: 503 })
    expect(granted.length).toBeGreaterThan(10)
    expect(server.stdout.match(/the disk of [^"]* is full/g)).toHaveLength(1)
    for (const user_ref of granted) {
      expect(await client.hasAccess({ rid: app.rid, user_ref })).toBe(true)
    }
    rmSync(ballast)
    await vi.waitFor(() => grant('after'), { timeout: 10_000 })
    expect(await server.stop()).toMatchObject({ code: 0 })
    await withContext(installation, async ({ environments: { production } }) => {
      const { database, clock } = production
      expect(await database.findDamage()).toEqual([])
      expect(await findViolations(database.read, clock())).toEqual([])
      const rows = await database.read.selectFrom('access').select('user_ref').execute()
      expect(rows.map((row) => row.user_ref).sort()).toEqual([...granted].sort())
    })
    console.info(`${granted.length} grants until the disk was full`, refusal)
    await installation.remove()
  })
})

/** Lets every sync of a process fail with EIO; returns undefined if this user may not trace processes. */
async function failSyncs(pid: number): Promise<{ stop(): Promise<void> } | undefined> {
  const inject = 'inject=fsync,fdatasync:error=EIO'
  const options = ['-f', '-e', 'trace=fsync,fdatasync', '-e', inject, '-p', String(pid)]
  const tracer = spawn('strace', options, { stdio: ['ignore', 'ignore', 'pipe'] })
  const [text] = (await Promise.race([
    once(tracer.stderr, 'data'),
    once(tracer, 'error').then(([error]) => [String(error)]),
  ])) as [Buffer | string]
  if (!/attached/.test(String(text))) {
    console.warn(`not tried with a real process: ${text}`)
    return undefined
  }
  tracer.stderr.resume()
  return {
    async stop() {
      const ended = once(tracer, 'exit')
      tracer.kill('SIGINT')
      await ended
    },
  }
}

describe('a disk whose syncs fail', () => {
  it('confirms nothing, loses nothing that was confirmed, and goes on when it works again', async () => {
    const installation = await databases[0].createEmpty()
    const app = await createApplicationIn(installation)
    const server = await startProcess({ env: installation.env })
    const client = new Gatehouse({ baseUrl: await server.url, ...app })
    const granted: string[] = []
    const refusals: unknown[] = []
    const grant = async (user_ref: string) => {
      const given = { rid: app.rid, email: `${user_ref}@example.com`, user_ref }
      await client.grantAccess(given).then(
        () => granted.push(user_ref),
        (error: unknown) => refusals.push(error),
      )
    }
    for (let n = 0; n < 10; n++) await grant(`before${n}`)
    expect(granted).toHaveLength(10)
    const failing = await failSyncs(server.pid)
    if (failing) {
      for (let n = 0; n < 10; n++) await grant(`during${n}`)
      expect(refusals).toHaveLength(10)
      for (const one of refusals) expect(one).toMatchObject({ status: 503 })
      for (const user_ref of granted) {
        expect(await client.hasAccess({ rid: app.rid, user_ref })).toBe(true)
      }
      expect(await client.hasAccess({ rid: app.rid, user_ref: 'during0' })).toBe(false)
      await failing.stop()
    }
    for (let n = 0; n < 10; n++) await grant(`after${n}`)
    expect(granted).toHaveLength(20)
    await server.kill()
    await withContext(installation, async ({ environments: { production } }) => {
      const { database, clock } = production
      expect(await database.findDamage()).toEqual([])
      expect(await findViolations(database.read, clock())).toEqual([])
      const rows = await database.read.selectFrom('access').select('user_ref').execute()
      expect(rows.map((row) => row.user_ref).sort()).toEqual(granted.sort())
    })
    await installation.remove()
  })
})

describe('a server that is told to stop', () => {
  it('is gone within 30 seconds, whatever a client holds back', async () => {
    const installation = await databases[0].createEmpty()
    const server = await startProcess({ env: installation.env })
    const socket = connect(Number(new URL(await server.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.on('error', () => {})
    socket.write('POST /r2/access/grant HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\na')
    await fetch(`${await server.url}/healthz`)
    const askedAt = performance.now()
    expect(await server.stop()).toMatchObject({ signal: null, stderr: '' })
    expect(performance.now() - askedAt).toBeLessThan(30_000)
    socket.destroy()
    await installation.remove()
  })
})
