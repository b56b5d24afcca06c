import { expect } from 'vitest'
import { RawConnection, signedBytes } from '../../packages/server/src/testing/http/raw-http.ts'
import { type Call, isSerial } from './serial.ts'

interface Application {
  aid: string
  privateKey: string
}

type Action = 'grant' | 'revoke' | 'refund' | 'check'
const ACTIONS: readonly Action[] = ['grant', 'revoke', 'refund', 'refund', 'check', 'check']
const CONCURRENCY = 8

/** The access record of a reader who has paid for an article. */
export interface HotRecord {
  rid: string
  userRef: string
}

function targetOf(input: Action, { rid, userRef }: HotRecord): { method: string; target: string } {
  const who = `rid=${rid}&user_ref=${userRef}`
  switch (input) {
    case 'grant':
      return { method: 'POST', target: `/r2/access/grant?${who}&email=${userRef}%40example.com` }
    case 'check':
      return { method: 'GET', target: `/r2/access?${who}` }
    default:
      return {
        method: 'POST',
        target: `/r2/access/revoke?${who}${input === 'refund' ? '&refund=true' : ''}`,
      }
  }
}

/** Opens connections to the servers in turn. */
export async function openConnections(urls: readonly string[]): Promise<RawConnection[]> {
  return await Promise.all(
    Array.from({ length: CONCURRENCY }, (_, n) =>
      RawConnection.open(urls[n % urls.length] as string),
    ),
  )
}

async function sendAction(
  line: RawConnection,
  app: Application,
  input: Action,
  record: HotRecord,
): Promise<Call> {
  const began = performance.now()
  await line.write(signedBytes(app, { ...targetOf(input, record), prefix: '/sandbox' }))
  const response = await line.answer()
  const ended = performance.now()
  expect([200, 404], response?.body).toContain(response?.status)
  const { id, refunds = [] } = JSON.parse(response?.body ?? '{}') as {
    id?: string
    refunds?: unknown[]
  }
  if (input === 'grant' || input === 'check') return { kind: input, began, ended, id }
  return { kind: 'revoke', refund: input === 'refund', refunds: refunds.length, began, ended, id }
}

/** Sends one request about a paid record on each connection concurrently, then checks the record on all of them. Fails
 * unless the responses fit some order. Returns how many refunds were reported. */
export async function race(
  lines: readonly RawConnection[],
  app: Application,
  record: HotRecord,
  random: () => number,
): Promise<number> {
  const before = await sendAction(lines[0] as RawConnection, app, 'check', record)
  const actions = lines.map(() => ACTIONS[Math.floor(random() * ACTIONS.length)] as Action)
  const calls = await Promise.all(
    lines.map((line, n) => sendAction(line, app, actions[n] as Action, record)),
  )
  const looks = await Promise.all(lines.map((line) => sendAction(line, app, 'check', record)))
  const all = [...calls, ...looks]
  expect(isSerial(before.id as string, all), JSON.stringify(all, null, 1)).toBe(true)
  return calls.reduce((sum, call) => sum + (call.kind === 'revoke' ? call.refunds : 0), 0)
}
