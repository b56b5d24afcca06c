import { encodeParameters } from '@gatehouse/sdk/signing'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import { authorization, send } from './http/requests.ts'
import { MONTHLY, type Shop } from './payments/shop.ts'
import { shuffled } from './random.ts'

type Parameters = Record<string, string | number | boolean>
type Write = [path: string, parameters: Parameters]

/** A write that succeeded, as somebody on the network saw it. */
export interface CapturedWrite {
  target: string
  authorization: string
  /** The body of the response. */
  answer: string
}

interface CaptureOptions {
  count: number
  /** The parameters that the client adds to its nth write. */
  added(n: number): Parameters
}

const RID = 'article'

/** Runs up to eight of the tasks at a time. */
async function inParallel(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const left = [...tasks]
  const work = async () => {
    for (let task = left.shift(); task; task = left.shift()) await task()
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

/** The writes about one reader, in their order. Each of them would change something if it were carried out again later. */
async function writesOf(shop: Shop, reader: string, n: number): Promise<Write[]> {
  const named = { rid: RID, user_ref: reader }
  if (n % 20 === 0) {
    const { payment_id: payment } = await shop.buy({ rid: RID, userRef: reader })
    const part = { payment: payment as string, amount: '1.00', reference: `part ${reader}` }
    return [
      ['/r2/payment/refund', part],
      ['/r2/access/revoke', { ...named, refund: true }],
    ]
  }
  if (n % 20 === 10) {
    await shop.buy({ rid: RID, userRef: reader, terms: MONTHLY })
    const [cancel, resume] = ['/r2/subscription/cancel', '/r2/subscription/resume'] as const
    return [
      [cancel, named],
      [resume, named],
      [cancel, { ...named, again: true }],
    ]
  }
  const grant = { ...named, email: `${reader}@example.com` }
  return [
    ['/r2/access/grant', { ...grant, expires: 4_000_000_000, tags: 'first' }],
    ['/r2/access/grant', { ...grant, tags: 'second', message: 'Welcome' }],
    ['/r2/access/revoke', named],
    ['/r2/access/grant', { ...grant, expires: 5_000_000_000, suppress_email: true }],
  ]
}

/** Sends `count` writes of a client to the servers in turn, and captures them. */
export async function captureWrites(
  shop: Shop,
  urls: readonly string[],
  { count, added }: CaptureOptions,
): Promise<CapturedWrite[]> {
  const captured: CapturedWrite[] = []
  let begun = 0
  const sendAll = async (reader: number) => {
    for (const [path, parameters] of await writesOf(shop, `reader${reader}`, reader)) {
      const n = begun++
      if (n >= count) return
      const target = `${path}?${encodeParameters({ ...parameters, ...added(n) })}`
      const write = { target, authorization: authorization(shop, 'POST', target), answer: '' }
      const response = await sendWrite(urls[n % urls.length] as string, write)
      if (response.status !== 200) throw new Error(`${target}: ${response.text}`)
      captured.push({ ...write, answer: response.text })
    }
  }
  // Each reader has two writes or more.
  await inParallel(Array.from({ length: Math.ceil(count / 2) }, (_, n) => () => sendAll(n)))
  return captured
}

const sendWrite = (url: string, { target, authorization }: CapturedWrite) =>
  send(url, `/sandbox${target}`, { method: 'POST', headers: { authorization } })

/** Sends each of `count` writes of a client several times at once, to the servers in turn. Each takes effect once: one answer
 * is new, and all are the same. Returns how many requests had to be sent again, because another was being handled. */
export async function sendTogether(
  shop: Shop,
  urls: readonly string[],
  { count, copies }: { count: number; copies: number },
): Promise<{ writes: number; waited: number }> {
  const tally = { writes: 0, waited: 0 }
  const sendAll = async (reader: number) => {
    for (const [path, parameters] of await writesOf(shop, `together${reader}`, reader)) {
      const n = tally.writes++
      const target = `${path}?${encodeParameters({ ...parameters, idempotency_key: `key ${n}` })}`
      const write = { target, authorization: authorization(shop, 'POST', target), answer: '' }
      const ask = async (copy: number) => {
        for (;;) {
          const response = await sendWrite(urls[copy % urls.length] as string, write)
          if (response.status !== 503) return response
          tally.waited++
        }
      }
      const answers = await Promise.all(Array.from({ length: copies }, (_, copy) => ask(copy)))
      const fresh = answers.filter(({ headers }) => headers['idempotent-replayed'] !== 'true')
      const [first] = answers
      const isSame = answers.every(({ status, text }) => status === 200 && text === first?.text)
      if (!isSame || fresh.length !== 1) {
        const shown = answers.map(({ status, text }) => `${status} ${text}`)
        throw new Error(`${target}: ${fresh.length} new answers\n${shown.join('\n')}`)
      }
    }
  }
  for (let reader = 0; tally.writes < count; reader++) await sendAll(reader)
  return tally
}

/** How many responses of each kind there were: `the stored answer`, or the status and code. */
type Tally = Record<string, number>

/** Sends all captured writes again, this many times and in any order. */
export async function replayWrites(
  captured: readonly CapturedWrite[],
  urls: readonly string[],
  { times, random }: { times: number; random: () => number },
): Promise<Tally> {
  const tally: Tally = {}
  const replays = Array.from({ length: times }, () => captured).flat()
  await inParallel(
    shuffled(replays, random).map((write, i) => async () => {
      const { status, text, headers } = await sendWrite(urls[i % urls.length] as string, write)
      const isStored = headers['idempotent-replayed'] === 'true' && text === write.answer
      const kind = isStored ? 'the stored answer' : `${status} ${JSON.parse(text).error?.code}`
      tally[kind] = (tally[kind] ?? 0) + 1
    }),
  )
  return tally
}

/** The tables in which a write that is carried out leaves something. */
const EFFECTS = [
  ...(['access', 'access_tags', 'history', 'outbox', 'payments', 'refunds', 'sources'] as const),
  ...(['subscriptions', 'test_ledger', 'user_refs', 'users'] as const),
] satisfies readonly (keyof Tables)[]

/** Returns everything that writes have changed, to see whether a replay changes more. */
export async function readEffects(db: Db): Promise<Record<string, string[]>> {
  const effects: Record<string, string[]> = {}
  for (const table of EFFECTS) {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(db)
    effects[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return effects
}
