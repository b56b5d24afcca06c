import { expect, it } from 'vitest'
import { databases } from '../packages/server/src/testing/databases.ts'
import { RawConnection, requestBytes } from '../packages/server/src/testing/http/raw-http.ts'
import { startTestService } from '../packages/server/src/testing/service.ts'
import { newOwner } from '../packages/server/src/testing/staff.ts'
import { MAX_T, mean, trimmed, welch } from './timing/welch.ts'

/** Each pair is a wrong password for a member, and one for an address that nobody has. */
const PAIRS = Number(process.env.SIGN_IN_PAIRS ?? 20_000)

/** After this many pairs, the clock moves on, so that no attempt is throttled. */
const PAIRS_PER_WINDOW = 9
const WINDOW_SECONDS = 16 * 60

const EMAILS = { known: 'owner@example.com', unknown: 'never@example.com' } as const
type Kind = keyof typeof EMAILS

function signInBytes(url: string, email: string): string {
  const body = JSON.stringify({ email, password: 'a wrong password' })
  const headers = ['Content-Type: application/json', 'Sec-Fetch-Site: same-origin']
  const target = '/dashboard/api/sign-in'
  return requestBytes({ method: 'POST', host: new URL(url).host, target, headers, body })
}

it.each(databases)(
  'a wrong password is refused in the same time for a member and for nobody, on $name',
  async (database) => {
    const service = await startTestService(database)
    await newOwner(service)
    const connection = await RawConnection.open(service.url)
    async function time(email: string): Promise<number> {
      const start = process.hrtime.bigint()
      await connection.write(signInBytes(service.url, email))
      const response = await connection.answer()
      if (response?.status !== 401) throw new Error(`answered ${response?.status}`)
      return Number(process.hrtime.bigint() - start)
    }
    const samples: Record<Kind, number[]> = { known: [], unknown: [] }
    for (let pair = -100; pair < PAIRS; pair++) {
      if (pair % PAIRS_PER_WINDOW === 0) service.clock.advance(WINDOW_SECONDS)
      const kinds: Kind[] = Math.random() < 0.5 ? ['known', 'unknown'] : ['unknown', 'known']
      for (const kind of kinds) {
        const taken = await time(EMAILS[kind])
        // The first ones warm up.
        if (pair >= 0) samples[kind].push(taken)
      }
    }
    connection.close()
    await service.stop()
    const [known, unknown] = trimmed(samples.known, samples.unknown)
    const t = welch(known, unknown)
    const millis = (nanoseconds: number) => (nanoseconds / 1e6).toFixed(2)
    console.log(
      `${database.name}: ${PAIRS} pairs, known ${millis(mean(known))} ms, unknown ${millis(mean(unknown))} ms, t = ${t.toFixed(2)}`,
    )
    expect(Math.abs(t)).toBeLessThan(MAX_T)
  },
)
