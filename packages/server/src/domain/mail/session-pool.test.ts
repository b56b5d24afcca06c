import { expect, it } from 'vitest'
import { SessionPool } from './session-pool.ts'
import { busyServer } from './smtp-errors.ts'
import type { SmtpSession } from './smtp-session.ts'

const tooMany = () => Object.assign(new Error('421'), { responseCode: 421, isConnected: false })
/** Lets all promises that can go on do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A pool of a server that takes `takes` connections at once, at a time that the test sets. */
function startPool(takes: number) {
  const server = { takes, asked: 0, open: 0, now: 0 }
  const pool = new SessionPool(
    async () => {
      server.asked++
      // Nothing is answered in the turn of the question.
      await Promise.resolve()
      if (server.open >= server.takes) throw tooMany()
      server.open++
      return sessionOf(server)
    },
    () => server.now,
  )
  return { server, pool }
}

function sessionOf(server: { open: number }): SmtpSession {
  let isUsable = true
  const close = () => {
    if (isUsable) server.open--
    isUsable = false
  }
  return {
    get isUsable() {
      return isUsable
    },
    send: async () => {},
    close,
    quit: async () => close(),
  }
}

/** Starts mails that hold their connection until the test takes it back. */
function startMails(pool: SessionPool, count: number, holding: SmtpSession[] = []) {
  const failures: unknown[] = []
  for (let n = 0; n < count; n++) {
    pool.acquire().then(
      (session) => holding.push(session),
      (error) => failures.push(error),
    )
  }
  return { holding, failures }
}

it('limits itself at once to the connections that the server takes, and lets the other mails wait', async () => {
  const { server, pool } = startPool(2)
  const { holding, failures } = startMails(pool, 20)
  await settled()
  expect([holding.length, pool.capacity(), server.asked]).toEqual([2, 2, 20])
  for (let sent = 1; sent <= 20; sent++) {
    pool.release(holding.shift() as SmtpSession)
    await settled()
  }
  expect([failures, holding.length, server.asked]).toEqual([[], 0, 20])
})

it('tries one more from time to time, less often after each refusal, and goes on where one is taken', async () => {
  const { server, pool } = startPool(1)
  const { holding } = startMails(pool, 10)
  await settled()
  const next = async () => {
    pool.release(holding.shift() as SmtpSession)
    await settled()
  }
  const tries: number[] = []
  for (; server.now < 80_000; server.now += 1_000) {
    const { asked } = server
    startMails(pool, 1, holding)
    await next()
    if (server.asked > asked) tries.push(server.now / 1_000)
  }
  expect(tries).toEqual([10, 30, 70])
  server.takes = 3
  server.now = 150_000
  startMails(pool, 5, holding)
  await settled()
  expect(pool.capacity()).toBe(2)
  server.now += 1_000
  startMails(pool, 1, holding)
  await settled()
  expect([pool.capacity(), server.open]).toEqual([3, 3])
})

it('hands the refusal to all mails if no connection works, and forgets it', async () => {
  const { server, pool } = startPool(0)
  const { failures } = startMails(pool, 5)
  await settled()
  expect(failures.map(busyServer)).toEqual(Array(5).fill('put off'))
  server.takes = 20
  const { holding } = startMails(pool, 20)
  await settled()
  expect([holding.length, server.asked]).toEqual([20, 25])
})

it('opens another connection in place of one that failed, and puts no failed one back', async () => {
  const { server, pool } = startPool(2)
  const { holding } = startMails(pool, 3)
  await settled()
  const failed = holding[0] as SmtpSession
  failed.close()
  pool.release(failed)
  await settled()
  expect([holding.length, server.open, server.asked]).toEqual([3, 2, 4])
  expect(holding[2]).not.toBe(failed)
})

/** Makes it a session over which no further mail goes, and which the server counts until the test lets it end. */
function useUp(session: SmtpSession): { end(): void } {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const quit = () => ended.then(() => session.close())
  Object.defineProperties(session, { isUsable: { value: false }, quit: { value: quit } })
  return { end: () => end() }
}

it('opens no other connection before one that it ends has ended, if the server takes no more', async () => {
  const { server, pool } = startPool(1)
  const { holding, failures } = startMails(pool, 2)
  await settled()
  const last = holding[0] as SmtpSession
  const { end } = useUp(last)
  pool.release(last)
  await settled()
  expect([failures, holding.length, server.asked]).toEqual([[], 1, 2])
  end()
  await settled()
  expect([failures, holding.length, server.asked]).toEqual([[], 2, 3])
})

it('lets mails wait when a connection is refused while another ends', async () => {
  const { pool } = startPool(1)
  const { holding } = startMails(pool, 1)
  await settled()
  const last = holding[0] as SmtpSession
  const { end } = useUp(last)
  pool.release(last)
  const { failures } = startMails(pool, 3, holding)
  await settled()
  expect([failures, holding.length, pool.capacity()]).toEqual([[], 1, 1])
  end()
  await settled()
  expect([failures, holding.length]).toEqual([[], 2])
})
