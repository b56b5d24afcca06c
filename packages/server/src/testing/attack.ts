import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { Context } from '../context.ts'
import { type BadRequest, badRequests, type Victim } from './bad-requests.ts'
import { TABLES } from './dump.ts'
import { RawConnection } from './raw-http.ts'
import type { TestApplication, TestService } from './service.ts'

/** A digest of every row of both environments: the same means that nothing has changed. */
export async function fingerprint({ environments }: Context): Promise<string> {
  const hash = createHash('sha256')
  for (const { name, database } of Object.values(environments)) {
    for (const table of TABLES) {
      const rows = await database.read.selectFrom(table).selectAll().execute()
      hash.update(`${name} ${table} ${rows.map((row) => JSON.stringify(row)).sort()}\n`)
    }
  }
  return hash.digest('hex')
}

/** An application with something to lose, at which bad requests are aimed. */
export async function prepareVictim(app: TestApplication): Promise<Victim> {
  const { aid, privateKey, environment } = app
  const victim = { rid: 'news', userRef: 'ann', email: 'ann@example.com' }
  await app.addResource(victim.rid)
  await app.client.grantAccess({ rid: victim.rid, user_ref: victim.userRef, email: victim.email })
  return { aid, privateKey, prefix: environment.name === 'sandbox' ? '/sandbox' : '', ...victim }
}

/** How many answers of each kind and status there were. */
export type Outcome = Record<string, number>

async function sendOne(connection: RawConnection, { kind, bytes, statuses }: BadRequest) {
  await connection.write(bytes)
  const answer = await connection.answer(bytes.startsWith('HEAD '))
  // A server that closes while a broken request is still being written may not be heard.
  const isRefused = answer ? statuses.includes(answer.status) : kind === 'frame'
  if (isRefused) return answer
  throw new Error(
    `${kind}: ${answer?.status ?? 'closed'} instead of ${statuses}\n` +
      `${JSON.stringify(bytes)}\n${answer?.body}`,
  )
}

async function sendSome(url: string, requests: Iterator<BadRequest>, outcome: Outcome) {
  let connection = await RawConnection.open(url)
  for (let next = requests.next(); !next.done; next = requests.next()) {
    const answer = await sendOne(connection, next.value)
    const key = `${next.value.kind} ${answer?.status ?? 'closed'}`
    outcome[key] = (outcome[key] ?? 0) + 1
    // What follows a broken frame is no request of ours.
    if (answer?.headers.get('connection') !== 'keep-alive' || next.value.kind === 'frame') {
      connection.close()
      connection = await RawConnection.open(url)
    }
  }
  connection.close()
}

const CONNECTIONS = 4
const BATCH = 2_000

/** Throws at the first bad request that is not refused as it must be. The seed makes it the same again. */
export async function attack(
  { url }: TestService,
  victims: readonly Victim[],
  { count, seed }: { count: number; seed: number },
): Promise<Outcome> {
  const outcome: Outcome = {}
  const requests = fc.oneof(...victims.map(badRequests))
  for (let done = 0; done < count; done += BATCH) {
    const numRuns = Math.min(BATCH, count - done)
    const batch = fc.sample(requests, { numRuns, seed: seed + done }).values()
    await Promise.all(Array.from({ length: CONNECTIONS }, () => sendSome(url, batch, outcome)))
  }
  return outcome
}
