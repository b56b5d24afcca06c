import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { sendSigned } from '../../testing/http/requests.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../../testing/postgres/database-proxy.ts'
import { startTestService, type TestApplication, type TestService } from '../../testing/service.ts'
import { useMigratedInstallation } from '../../testing/use-service.ts'
import { createConnectionLimiter } from './connection-limiter.ts'

const RID = 'news'

interface Answer {
  ok: boolean
  error: unknown
  took: number
}

async function answerOf(work: () => Promise<unknown>): Promise<Answer> {
  const startedAt = performance.now()
  const outcome = await work().then(
    () => ({ ok: true, error: undefined }),
    (error: unknown) => ({ ok: false, error }),
  )
  return { ...outcome, took: performance.now() - startedAt }
}

const slowest = (answers: readonly Answer[]) => Math.max(...answers.map(({ took }) => took))

const median = (answers: readonly Answer[]) =>
  answers.map(({ took }) => took).sort((a, b) => a - b)[answers.length >> 1] as number

/** Expects every failed request to be one that the client should retry. */
function expectSheddingOnly(answers: readonly Answer[]): void {
  for (const { error } of answers.filter(({ ok }) => !ok)) {
    expect(error).toMatchObject({ status: 503, code: 'database_unavailable', retryAfter: 1 })
  }
}

describe('a service whose PostgreSQL has too much to do', () => {
  const installation = useMigratedInstallation(databases[1])
  let proxy: DatabaseProxy
  let service: TestService
  let app: TestApplication
  beforeAll(async () => {
    proxy = await startDatabaseProxy(installation.env.GATEHOUSE_DATABASE_URL as string)
    const env = { GATEHOUSE_DATABASE_URL: proxy.url, GATEHOUSE_DATABASE_CONNECTIONS: '5' }
    service = await startTestService(databases[1], { installation, env, useRealTime: true })
    app = await service.newApplication()
    await app.addResource(RID)
    await Promise.all(Array.from({ length: 12 }, (_, n) => grant(`reader${n}`)))
  })
  afterAll(async () => {
    await service.stop()
    await proxy.close()
  })

  const grant = (user: string) =>
    app.client.grantAccess({ rid: RID, user_ref: user, email: `${user}@example.com` })
  /** Sends one request. The client would repeat what is refused, and so take longer or even succeed. */
  const sendOnce = async (method: 'GET' | 'POST', path: string, input: Record<string, string>) => {
    const { status, headers, text } = await sendSigned(app, method, path, input)
    if (status === 200) return
    const { code } = JSON.parse(text).error
    throw Object.assign(new Error(code), {
      status,
      code,
      retryAfter: Number(headers['retry-after']),
    })
  }
  const grantOnce = (user: string) =>
    sendOnce('POST', '/r2/access/grant', {
      rid: RID,
      user_ref: user,
      email: `${user}@example.com`,
    })
  const readOnce = () => sendOnce('GET', '/r2/access', { rid: RID, user_ref: 'reader0' })
  const isAlive = async () => expect((await fetch(`${service.url}/healthz`)).status).toBe(200)

  /** Repeats a request until the work is over, and at least a few times. */
  async function meanwhile(work: Promise<unknown>, ask: () => Promise<unknown>) {
    const answers: Answer[] = []
    let isOver = false
    const end = () => {
      isOver = true
    }
    work.then(end, end)
    while (!isOver || answers.length < 5) {
      answers.push(await answerOf(ask))
      await sleep(20)
    }
    return answers
  }

  it('goes on reading while a lock holds up all who write, and sends those away in time', async () => {
    const holder = new pg.Client({ connectionString: installation.env.GATEHOUSE_DATABASE_URL })
    holder.on('error', () => {})
    await holder.connect()
    await holder.query('begin')
    await holder.query('select * from production.access for update')
    const writing = Promise.all(
      Array.from({ length: 12 }, (_, n) => answerOf(() => grantOnce(`reader${n}`))),
    )
    const [reads, health] = await Promise.all([
      meanwhile(writing, readOnce),
      meanwhile(writing, isAlive),
    ])
    const writes = await writing
    expect(writes.filter(({ ok }) => ok)).toEqual([])
    expectSheddingOnly(writes)
    expect(slowest(writes)).toBeLessThan(20_000)
    expect(reads.filter(({ ok }) => !ok)).toEqual([])
    expect(health.filter(({ ok }) => !ok)).toEqual([])
    expect(median(health)).toBeLessThan(1_000)
    await holder.query('rollback')
    await holder.end()
    await grant('reader0')
  })

  it("turns away what it can't answer in time, asks nothing twice, and stays alive", async () => {
    proxy.slow(2_000)
    const before = proxy.messages
    const asking: Promise<Answer>[] = []
    const arrivals = (async () => {
      for (let n = 0; n < 40; n++) {
        asking.push(answerOf(readOnce))
        await sleep(50)
      }
    })()
    const health = await meanwhile(arrivals, isAlive)
    const answers = await Promise.all(asking)
    const asked = proxy.messages - before
    proxy.restore()
    expectSheddingOnly(answers)
    expect(answers.filter(({ ok }) => !ok).length).toBeGreaterThan(0)
    // The sum of queueing, connecting and a slow response.
    expect(slowest(answers)).toBeLessThan(20_000)
    expect(asked).toBeLessThanOrEqual(answers.length * 1.2)
    expect(health.filter(({ ok }) => !ok)).toEqual([])
    expect(median(health)).toBeLessThan(1_000)
    const recovered = await answerOf(readOnce)
    expect(recovered).toMatchObject({ ok: true })
  })
})

describe('a limiter', () => {
  const refusal = (entering: Promise<void>) => expect(entering).rejects.toThrow('busy')

  it('lets the next one in when somebody leaves, in the order of their coming', async () => {
    const limiter = createConnectionLimiter({
      concurrency: 1,
      maxWaitMs: 5_000,
      stuckAfterMs: 5_000,
    })
    await limiter.enter()
    const order: string[] = []
    const waiting = ['a', 'b', 'c'].map((name) => limiter.enter().then(() => order.push(name)))
    for (const _ of waiting) limiter.leave()
    await Promise.all(waiting)
    expect(order).toEqual(['a', 'b', 'c'])
  })

  it('sends away who has waited too long, and gives the place to nobody else', async () => {
    const limiter = createConnectionLimiter({ concurrency: 1, maxWaitMs: 20, stuckAfterMs: 5_000 })
    await limiter.enter()
    await refusal(limiter.enter())
    limiter.leave()
    await limiter.enter()
    await refusal(limiter.enter())
  })

  it('lets nobody into a row that does not move', async () => {
    const limiter = createConnectionLimiter({ concurrency: 1, maxWaitMs: 5_000, stuckAfterMs: 20 })
    await limiter.enter()
    const first = limiter.enter()
    await sleep(40)
    await refusal(limiter.enter())
    limiter.leave()
    await first
    const next = limiter.enter()
    limiter.leave()
    await next
  })
})
