import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { Context } from '../../context.ts'
import { TABLES } from '../dump.ts'
import type { TestApplication, TestService } from '../service.ts'
import { badRequests } from './bad-requests.ts'
import { RawConnection } from './raw-http.ts'
import type { BadRequest, Victim } from './victim.ts'

/** Hashes every row of both environments: equal digests mean that nothing has changed. */
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

/** Creates what bad requests are aimed at: a resource and somebody with access to it. */
export async function prepareVictim(app: TestApplication): Promise<Victim> {
  const { aid, privateKey, environment } = app
  const victim = { rid: 'news', userRef: 'ann', email: 'ann@example.com' }
  await app.addResource(victim.rid)
  await app.client.grantAccess({ rid: victim.rid, user_ref: victim.userRef, email: victim.email })
  return { aid, privateKey, prefix: environment.name === 'sandbox' ? '/sandbox' : '', ...victim }
}

/** How many responses of each kind and status there were. */
export type Outcome = Record<string, number>

async function sendOne(connection: RawConnection, { kind, bytes, statuses }: BadRequest) {
  await connection.write(bytes)
  const response = await connection.answer(bytes.startsWith('HEAD '))
  // If the server closes the connection while a malformed request is being written, its response may be lost.
  const isRefused = response ? statuses.includes(response.status) : kind === 'frame'
  if (isRefused) return response
  throw new Error(
    `${kind}: ${response?.status ?? 'closed'} instead of ${statuses}\n` +
      `${JSON.stringify(bytes)}\n${response?.body}`,
  )
}

async function sendSome(url: string, requests: Iterator<BadRequest>, outcome: Outcome) {
  let connection = await RawConnection.open(url)
  for (let next = requests.next(); !next.done; next = requests.next()) {
    const response = await sendOne(connection, next.value)
    const key = `${next.value.kind} ${response?.status ?? 'closed'}`
    outcome[key] = (outcome[key] ?? 0) + 1
    // After broken framing, the server can't tell where the next request begins.
    if (response?.headers.get('connection') !== 'keep-alive' || next.value.kind === 'frame') {
      connection.close()
      connection = await RawConnection.open(url)
    }
  }
  connection.close()
}

const CONNECTIONS = 4
const BATCH = 2_000

/** Throws at the first bad request that is not refused as it must be. The same seed sends the same requests. */
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
