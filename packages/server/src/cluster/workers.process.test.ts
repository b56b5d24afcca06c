import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { archiveApplication } from '../domain/apps/applications.ts'
import { listLiveKeys, revokeKey, rotateKey } from '../domain/apps/keys.ts'
import { databases } from '../testing/databases.ts'
import { RawConnection, signedBytes } from '../testing/http/raw-http.ts'
import { type ServerProcess, startProcess } from '../testing/processes/process.ts'
import {
  childrenOf,
  isRunning,
  type KeepAliveConnection,
  openKeepAliveConnections,
} from '../testing/processes/workers.ts'
import { startTestService, type TestApplication, type TestService } from '../testing/service.ts'
import {
  useApplication,
  useMigratedInstallation,
  useService,
  useSmtp,
} from '../testing/use-service.ts'

/** Starts real processes, on a machine that may be busy with other tests. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const PATIENT = { timeout: 60_000, interval: 100 }
const MAX_A_MINUTE = 400

describe.each(databases)('two workers on $name', (database) => {
  let beside: TestService
  let server: ServerProcess
  let url: string
  let folder: string
  const settings = (text: string) => writeFileSync(join(folder, '.env'), text)
  const smtp = useSmtp()
  const installation = useMigratedInstallation(database)
  beforeAll(async () => {
    folder = installation.env.GATEHOUSE_DATA as string
    beside = await startTestService(database, { installation, useRealTime: true })
    settings('GATEHOUSE_WORKERS=2')
    const limit = { GATEHOUSE_LIMIT_PER_APPLICATION: String(MAX_A_MINUTE) }
    const env = { ...installation.env, ...limit, GATEHOUSE_SMTP_URL: smtp.url }
    server = await startProcess({ env, folder })
    url = await server.url
  })
  afterAll(async () => {
    await server.kill()
    await beside.stop()
  })

  async function newApplication(): Promise<TestApplication> {
    const app = await beside.newApplication()
    await app.addResource('news')
    return app
  }

  const metrics = async () => await (await fetch(`${url}/metrics`)).text()
  const named = (text: string, start: string) =>
    text.split('\n').filter((line) => line.startsWith(start))

  it('answer "granted" to nobody once either of them has answered a revoke', async () => {
    const app = await newApplication()
    const connections = await openKeepAliveConnections(url, app, 4)
    const target = '/r2/access?rid=news&user_ref=reader'
    const askAll = () => Promise.all(connections.map(({ ask }) => ask('GET', target)))
    for (let round = 0; round < 20; round++) {
      const grant = '/r2/access/grant?rid=news&email=reader%40example.com&user_ref=reader'
      const at = connections[round % 4]
      expect(await at?.ask('POST', grant)).toBe(200)
      expect(await askAll()).toEqual([200, 200, 200, 200])
      expect(await at?.ask('POST', '/r2/access/revoke?rid=news&user_ref=reader')).toBe(200)
      expect(await askAll()).toEqual([404, 404, 404, 404])
    }
    for (const { close } of connections) close()
    // Both workers have answered, and each has its own counter.
    const counted = named(await metrics(), 'gatehouse_http_answers_total{').filter((line) =>
      line.includes('route="/r2/access",status="200"'),
    )
    expect(counted.map((line) => /worker="(\d)"/.exec(line)?.[1]).sort()).toEqual(['1', '2'])
  })

  /** Returns the milliseconds until all connections are refused. */
  async function timeToRefusal(connections: readonly KeepAliveConnection[], target: string) {
    const startedAt = performance.now()
    for (const { ask } of connections) {
      await expect.poll(() => ask('GET', target), PATIENT).toBe(401)
    }
    return performance.now() - startedAt
  }

  it('both follow new keys at once, and revoked keys and archived applications within 5 seconds', async () => {
    const app = await newApplication()
    const { database: db, realTime } = app.environment
    const [old] = await listLiveKeys(db.read, app.aid, realTime())
    const { privateKey } = await db.write((trx) =>
      rotateKey(trx, beside.ctx.masterKey, app.aid, 3_600_000, realTime()),
    )
    const connections = await openKeepAliveConnections(url, app, 4)
    const renewed = await openKeepAliveConnections(url, { aid: app.aid, privateKey }, 4)
    const target = '/r2/access?rid=news&user_ref=reader'
    for (const { ask } of [...renewed, ...connections]) expect(await ask('GET', target)).toBe(404)
    await db.write((trx) => revokeKey(trx, app.aid, old?.id as string, realTime()))
    expect(await timeToRefusal(connections, target)).toBeLessThan(5_000)
    await db.write((trx) => archiveApplication(trx, app.aid, app.environment.clock(), 'test'))
    expect(await timeToRefusal(renewed, target)).toBeLessThan(5_000)
    for (const { close } of [...renewed, ...connections]) close()
  })

  // The tests below don't depend on the database.
  if (database.engine !== 'sqlite') return

  it('show what the database knows once', async () => {
    const mails = named(await metrics(), 'gatehouse_mails{environment="production",status="dead"')
    expect(mails).toHaveLength(1)
    expect(mails[0]).not.toContain('worker=')
  })

  it('count together what an application may ask in a minute', async () => {
    const app = await newApplication()
    // Avoids the turn of a minute, which all processes of a machine share.
    const left = 60_000 - Number((process.hrtime.bigint() / 1_000_000n) % 60_000n)
    if (left < 12_000) await sleep(left)
    const [one, other] = await openKeepAliveConnections(url, app, 2)
    const target = '/r2/access?rid=news&user_ref=reader'
    // A connection without a request would be closed after a while.
    expect(await other?.ask('GET', target)).toBe(404)
    let letIn = 0
    while ((await one?.ask('GET', target)) === 404) letIn++
    expect([MAX_A_MINUTE - 1, MAX_A_MINUTE]).toContain(letIn)
    expect(await one?.ask('GET', target)).toBe(429)
    // The other worker learns of it a moment later; until then it accepts a few requests.
    await expect.poll(() => other?.ask('GET', target), { interval: 50 }).toBe(429)
    one?.close()
    other?.close()
  })

  it('keep to two: what a dead one had to do is done by the other at once, until it is replaced', async () => {
    const app = await newApplication()
    const workers = childrenOf(server.pid)
    expect(workers).toHaveLength(2)
    // The dead worker can't be replaced yet.
    settings('GATEHOUSE_WORKERS=none')
    // The first worker sends the mails.
    process.kill(workers[0] as number, 'SIGKILL')
    await expect.poll(() => isRunning(workers[0] as number), PATIENT).toBe(false)
    await app.clientAt(url).grantAccess({ rid: 'news', email: 'after@example.com' })
    const sent = () => smtp.mailsTo('after@example.com').length
    await expect.poll(sent, { interval: 50 }).toBe(1)
    await expect.poll(() => server.stderr, PATIENT).toContain('GATEHOUSE_WORKERS must be')
    expect((await countStarted()).size).toBe(1)
    settings('GATEHOUSE_WORKERS=2')
    await expect.poll(async () => (await countStarted()).size, PATIENT).toBe(2)
    expect(childrenOf(server.pid)).toContain(workers[1])
    expect(server.stdout).toContain('a worker has exited (SIGKILL)')
  })

  /** The start times of the workers that are serving. */
  const countStarted = async () => new Set(named(await metrics(), 'process_start_time_seconds{'))

  it('go on as before if they are to be restarted with wrong settings, and say why', async () => {
    const before = childrenOf(server.pid)
    settings('GATEHOUSE_WORKERS=2\nGATEHOUSE_LOG_LEVEL=loud')
    server.signal('SIGHUP')
    await expect.poll(() => server.stdout, PATIENT).toMatch(/not restarted.*GATEHOUSE_LOG_LEVEL/)
    // The supervisor accepts these settings, but a worker can't start with them.
    settings('GATEHOUSE_WORKERS=2\nGATEHOUSE_HOST=192.0.2.1')
    server.signal('SIGHUP')
    await expect.poll(() => server.stdout, PATIENT).toContain('a new worker could not start')
    expect(server.stderr).toContain('192.0.2.1 is not an address of this machine')
    expect(childrenOf(server.pid)).toEqual(before)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    settings('GATEHOUSE_WORKERS=2')
  })

  it('end by themselves when whoever started them is killed, and leave the port free', async () => {
    const workers = childrenOf(server.pid)
    expect(workers).toHaveLength(2)
    await server.kill()
    await expect.poll(() => workers.filter(isRunning)).toEqual([])
    await expect(fetch(url)).rejects.toThrow()
  })
})

describe('two workers', () => {
  const [sqlite] = databases
  const installation = useMigratedInstallation(sqlite)
  const beside = useService(sqlite, () => ({ installation, useRealTime: true }))
  const app = useApplication(beside, { resources: ['news'] })
  let server: ServerProcess
  beforeAll(async () => {
    server = await startProcess({ env: { ...installation.env, GATEHOUSE_WORKERS: '2' } })
  })
  afterAll(async () => {
    await server.kill()
  })

  const workers = () => childrenOf(server.pid)
  const heard = (text: string) => expect.poll(() => server.stdout, PATIENT).toContain(text)
  async function bothAnswer() {
    const metrics = async () => await (await fetch(`${await server.url}/metrics`)).text()
    const names = async () =>
      Array.from((await metrics()).matchAll(/^process_start.*worker="(\d)"/gm), ([, name]) => name)
    await expect.poll(names, PATIENT).toEqual(expect.arrayContaining(['1', '2']))
  }

  /** Sends a grant to each worker, without its last byte. Returns a function that sends it and returns the statuses. */
  async function beginGrants(): Promise<() => Promise<(number | undefined)[]>> {
    const target = '/r2/access/grant'
    const body = 'rid=news&email=slow%40example.com'
    const headers = ['Content-Type: application/x-www-form-urlencoded']
    const signed = `POST ${target}?${body}`
    const bytes = signedBytes(app, { method: 'POST', target, headers, body, signed })
    const connections: RawConnection[] = []
    while (connections.length < 2) {
      const connection = await RawConnection.open(await server.url)
      await connection.write(signedBytes(app, { target: '/r2/access?rid=news&user_ref=nobody' }))
      expect((await connection.answer())?.status).toBe(404)
      connections.push(connection)
    }
    for (const connection of connections) await connection.write(bytes.slice(0, -1))
    return async () => {
      for (const connection of connections) await connection.write(bytes.slice(-1))
      const answers = await Promise.all(connections.map((connection) => connection.answer()))
      for (const connection of connections) connection.close()
      return answers.map((response) => response?.status)
    }
  }

  it('greet and are two, also if the first is killed while the other starts', async () => {
    await expect.poll(() => workers().length, { ...PATIENT, interval: 20 }).toBe(2)
    const [first] = workers()
    process.kill(first as number, 'SIGKILL')
    await heard('a worker has exited (SIGKILL)')
    await bothAnswer()
  })

  it('are two after a restart, also if one is killed and replaced in the middle of it', async () => {
    const before = workers()
    const endGrants = await beginGrants()
    server.signal('SIGHUP')
    await heard('stopping (replaced)')
    const line = server.stdout.split('\n').find((one) => one.includes('stopping (replaced)'))
    const leaving = JSON.parse(line as string).pid
    const other = before.find((pid) => pid !== leaving) as number
    process.kill(other, 'SIGKILL')
    await expect.poll(() => isRunning(other), PATIENT).toBe(false)
    // The leaving worker has a request to finish: it, its replacement, and the replacement of the killed worker.
    await expect.poll(() => workers().length, PATIENT).toBe(3)
    expect(await endGrants()).toContain(200)
    await heard('restarted all workers')
    expect(workers()).toHaveLength(2)
    expect(workers().filter((pid) => before.includes(pid))).toEqual([])
  })

  it('answer a request that was on its way to one that is killed', async () => {
    const url = await server.url
    const [stopped] = workers()
    process.kill(stopped as number, 'SIGSTOP')
    const answers = Array.from({ length: 4 }, async () => {
      const connection = await RawConnection.open(url)
      await connection.write(signedBytes(app, { target: '/r2/access?rid=news&user_ref=nobody' }))
      const answer = await connection.answer()
      connection.close()
      return answer?.status
    })
    // The other worker answers all but the one that waits for the stopped worker.
    await Promise.any(answers)
    process.kill(stopped as number, 'SIGKILL')
    expect(await Promise.all(answers)).toEqual([404, 404, 404, 404])
    await bothAnswer()
  })

  it('told to stop finish what they have, also if one of them was about to end', async () => {
    const endGrants = await beginGrants()
    process.kill(workers()[0] as number, 'SIGTERM')
    await heard('stopping (SIGTERM)')
    // A signal that is repeated sooner counts as the same one.
    await sleep(300)
    server.signal('SIGTERM')
    await heard('stopping (the service stops)')
    expect(await endGrants()).toEqual([200, 200])
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
  })
})
