import { expect, it } from 'vitest'
import type { ClaimedMail } from '../../domain/mail/claims.ts'
import { MailLines } from './lines.ts'
import { createRateLimit, createThrottle } from './pacing.ts'

const CONNECTIONS = 8
/** Three quarters of the connections. */
const PER_DOMAIN = 6

/** Lines whose mails are sent when the test says so, at a time that the test sets. */
function startLines({
  connections = CONNECTIONS,
  perSecond = 10_000,
  capacity = CONNECTIONS,
} = {}) {
  let time = 0
  const now = () => time
  const throttle = createThrottle(connections, now, () => capacity)
  /** How to finish each mail that is being sent, in the order of the start. */
  const flying = new Map<string, () => void>()
  const lines = new MailLines({
    ...{ connections, throttle, now, rateLimit: createRateLimit(perSecond, now) },
    send: ({ mail }) => new Promise<void>((resolve) => flying.set(mail.recipient, resolve)),
  })
  return {
    ...{ lines, throttle },
    sending: () => [...flying.keys()],
    async finish(recipient: string): Promise<void> {
      const progress = lines.progress(60_000)
      flying.get(recipient)?.()
      flying.delete(recipient)
      await progress
    },
    advance(ms: number): void {
      time += ms
    },
  }
}

const mailTo = (recipient: string, priority = 2) =>
  ({ mail: { recipient, priority }, lease: { token: 'a', until: 0 } }) as unknown as ClaimedMail
const mailsTo = (domain: string, count: number) =>
  Array.from({ length: count }, (_, n) => mailTo(`${n}@${domain}`))

it('sends urgent mails first, and others in the order in which they were claimed', async () => {
  const { lines, sending, finish } = startLines({ connections: 1 })
  lines.add([mailTo('1@a.example'), mailTo('2@b.example'), mailTo('3@c.example', 1)])
  lines.add([mailTo('4@d.example', 0), mailTo('5@e.example')])
  const order: string[] = []
  for (let [next] = sending(); next; [next] = sending()) {
    order.push(next[0] as string)
    await finish(next)
  }
  expect(order).toEqual(['3', '4', '1', '2', '5'])
})

it('asks for enough mails to keep its connections busy, in batches', async () => {
  const { lines, sending, finish } = startLines()
  expect(lines.room()).toBe(CONNECTIONS * 1.5)
  lines.add(Array.from({ length: 12 }, (_, n) => mailTo(`${n}@mail${n}.example`)))
  expect(sending()).toHaveLength(CONNECTIONS)
  expect(lines.room()).toBe(0)
  await finish('0@mail0.example')
  expect(lines.room()).toBe(0)
  await finish('1@mail1.example')
  expect(lines.room()).toBe(2)
})

it('leaves connections to others while a domain is slow, and puts its mails off', async () => {
  const { lines, sending, finish, advance } = startLines()
  lines.add([...mailsTo('slow.example', 9), mailTo('ann@other.example')])
  expect(sending()).toHaveLength(PER_DOMAIN + 1)
  expect(sending()).toContain('ann@other.example')
  expect(lines.room()).toBeGreaterThan(0)
  advance(3_000)
  expect(lines.takeSlow()).toEqual([])
  lines.add(Array.from({ length: 77 }, (_, n) => mailTo(`late${n}@Slow.example`)))
  expect(lines.room()).toBe(0)
  expect(lines.takeSlow()).toHaveLength(80)
  await finish('ann@other.example')
  expect(lines.room()).toBe(CONNECTIONS * 1.5 - PER_DOMAIN)
})

it('leaves some to others also of the few that the server takes', () => {
  const { lines, sending } = startLines({ capacity: 4 })
  lines.add([...mailsTo('slow.example', 9), mailTo('ann@other.example')])
  expect(sending()).toHaveLength(4)
  expect(sending()).toContain('ann@other.example')
})

it('puts nothing off for a domain that is only busy', () => {
  const { lines, advance } = startLines()
  lines.add(mailsTo('busy.example', 86))
  advance(1_500)
  expect(lines.takeSlow()).toEqual([])
})

it('uses fewer connections after a refusal, and more again after accepted mails', () => {
  const { lines, throttle, sending, advance } = startLines()
  advance(10)
  throttle.refused(5)
  lines.add(Array.from({ length: 12 }, (_, n) => mailTo(`${n}@mail${n}.example`)))
  expect(sending()).toHaveLength(CONNECTIONS / 2)
  for (let n = 0; n < 40; n++) throttle.accepted()
  expect(throttle.allowed()).toBe(CONNECTIONS)
})

it('starts nothing after a stop, and hands out what waits', () => {
  const { lines, sending } = startLines({ connections: 1 })
  lines.add([mailTo('1@a.example'), mailTo('2@b.example')])
  lines.stop()
  expect(lines.room()).toBe(0)
  expect(lines.takeWaiting().map(({ mail }) => mail.recipient)).toEqual(['2@b.example'])
  lines.add([mailTo('3@c.example')])
  expect(sending()).toEqual(['1@a.example'])
})
