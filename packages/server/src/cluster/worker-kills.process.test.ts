import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { databases } from '../testing/databases.ts'
import { RawConnection, type RawResponse, signedBytes } from '../testing/http/raw-http.ts'
import { type Credentials, createApplicationIn } from '../testing/installations.ts'
import { type ServerProcess, startProcess } from '../testing/processes/process.ts'
import { killWorkersUnderLoad } from '../testing/processes/worker-kills.ts'
import { childrenOf, isRunning } from '../testing/processes/workers.ts'
import { openDescriptors } from '../testing/soak/samples.ts'
import { useFreshMigratedInstallation } from '../testing/use-service.ts'

/** Starts real processes, on a machine that may be busy with other tests. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const PATIENT = { timeout: 60_000, interval: 50 }
const HOLD_CHANNEL = fileURLToPath(
  new URL('../testing/processes/hold-channel.cjs', import.meta.url),
)

describe('two workers', () => {
  const installation = useFreshMigratedInstallation(databases[0])
  let app: Credentials
  let server: ServerProcess
  let url: string
  const settings = (text: string) =>
    writeFileSync(join(installation.env.GATEHOUSE_DATA as string, '.env'), text)
  const workers = () => childrenOf(server.pid)
  const kills = () => server.stdout.split('a worker has exited (SIGKILL)').length - 1

  async function start(env: Record<string, string> = {}): Promise<void> {
    settings('GATEHOUSE_WORKERS=2')
    const folder = installation.env.GATEHOUSE_DATA as string
    server = await startProcess({ env: { ...installation.env, ...env }, folder })
    url = await server.url
    await bothServe()
  }

  async function bothServe(): Promise<void> {
    const metrics = async () => await (await fetch(`${url}/metrics`)).text()
    const names = async () =>
      Array.from((await metrics()).matchAll(/^process_start.*worker="(\d)"/gm), ([, name]) => name)
    await expect.poll(names, PATIENT).toEqual(expect.arrayContaining(['1', '2']))
  }

  beforeEach(async () => {
    app = await createApplicationIn(installation)
  })
  afterEach(async () => {
    const holders = isRunning(server.pid) ? workers().flatMap(childrenOf) : []
    await server.kill()
    for (const holder of holders) process.kill(holder, 'SIGKILL')
  })

  /** Sends an access check on a new connection. Returns a function that waits for the response. */
  async function beginCheck(): Promise<() => Promise<RawResponse | undefined>> {
    const connection = await RawConnection.open(url)
    const target = `/r2/access?rid=${app.rid}&user_ref=nobody`
    await connection.write(signedBytes(app, { target }))
    const answer = connection.answer().finally(() => connection.close())
    return () => answer
  }

  const beginChecks = (count: number) => Promise.all(Array.from({ length: count }, beginCheck))
  const statusesOf = async (checks: Awaited<ReturnType<typeof beginChecks>>) =>
    (await Promise.all(checks.map((answer) => answer()))).map((response) => response?.status)

  it('lose no connection if one is killed and its exit is seen before the end of its channel', async () => {
    await start({ NODE_OPTIONS: `--require=${HOLD_CHANNEL}` })
    const before = openDescriptors(server.pid)
    const [first] = workers() as [number, number]
    const [holder] = childrenOf(first) as [number]
    expect(readFileSync(`/proc/${holder}/comm`, 'utf8')).toBe('sleep\n')
    process.kill(first, 'SIGSTOP')
    const checks = await beginChecks(4)
    await Promise.any(checks.map((answer) => answer()))
    process.kill(first, 'SIGKILL')
    await expect.poll(kills, PATIENT).toBe(1)
    process.kill(holder, 'SIGKILL')
    expect(await statusesOf(checks)).toEqual([404, 404, 404, 404])
    await bothServe()
    expect(await statusesOf(await beginChecks(20))).toEqual(Array(20).fill(404))
    await expect.poll(() => openDescriptors(server.pid), PATIENT).toBeLessThanOrEqual(before)
  })

  it('refuse nobody when both are killed: connections wait for the next one', async () => {
    await start()
    const before = openDescriptors(server.pid)
    // Neither of them reads any more.
    for (const worker of workers()) process.kill(worker, 'SIGSTOP')
    const checks = await beginChecks(6)
    const killedAt = performance.now()
    for (const worker of workers()) process.kill(worker, 'SIGKILL')
    await expect.poll(kills, PATIENT).toBe(2)
    checks.push(...(await beginChecks(6)))
    const statuses = await statusesOf(checks)
    // On a busy machine the next worker may come too late, which is the next test.
    const late = performance.now() - killedAt > 2_000 ? [503] : []
    for (const status of statuses) expect([404, ...late]).toContain(status)
    await bothServe()
    await expect.poll(() => openDescriptors(server.pid), PATIENT).toBeLessThanOrEqual(before)
  })

  it('answer 503 after two seconds while neither can be replaced, and serve again when one is', async () => {
    await start()
    const before = openDescriptors(server.pid)
    settings('GATEHOUSE_WORKERS=none')
    for (const worker of workers()) process.kill(worker, 'SIGKILL')
    await expect.poll(kills, PATIENT).toBe(2)
    const startedAt = performance.now()
    const waiting = await beginChecks(6)
    expect(await statusesOf(waiting)).toEqual(Array(6).fill(503))
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    const response = await (await beginCheck())()
    expect(response?.headers.get('retry-after')).toBe('1')
    expect(JSON.parse(response?.body as string)).toEqual({
      error: {
        code: 'draining',
        message: 'The service is restarting. Try again shortly.',
        request_id: expect.any(String),
      },
    })
    settings('GATEHOUSE_WORKERS=2')
    await bothServe()
    expect(await statusesOf(await beginChecks(20))).toEqual(Array(20).fill(404))
    await expect.poll(() => openDescriptors(server.pid), PATIENT).toBeLessThanOrEqual(before)
  })

  it('told to stop end at once while neither of them lives, and leave the port free', async () => {
    await start()
    settings('GATEHOUSE_WORKERS=none')
    for (const worker of workers()) process.kill(worker, 'SIGKILL')
    await expect.poll(kills, PATIENT).toBe(2)
    await server.stop()
    await expect(fetch(url)).rejects.toThrow()
  })
})

describe.each(databases)('two workers that are killed under load, on $name,', (database) => {
  it('keep nobody waiting, refuse nobody and leave no descriptor', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const report = await killWorkersUnderLoad(database, { kills: 6, seed })
    const message = `seed ${seed}: ${JSON.stringify(report)}`
    expect(report.outcomes, message).not.toHaveProperty('ECONNREFUSED')
    expect(report.outcomes, message).not.toHaveProperty('hangs')
    expect(report.descriptors.after, message).toBeLessThanOrEqual(report.descriptors.before)
  })
})
