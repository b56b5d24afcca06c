import { setMaxListeners } from 'node:events'
import { type MailServerAddress, openSession, type SmtpSession } from './smtp-session.ts'

/** After so long without a greeting, TLS is tried: a port that expects it says nothing. Servers that greet late on purpose
 * take those for spammers that speak first, so it is sooner only at the port for TLS. */
const silenceOf = (smtpUrl: string) => (new URL(smtpUrl).port === '465' ? 2_000 : 8_000)
const TLS_TIMEOUT_MS = 5_000

/** How long connections are counted. */
const COUNT_TIMEOUT_MS = 10_000

/** The `code` of the error about a port that speaks TLS from the start, while the settings say otherwise. */
export const NEEDS_TLS = 'ENEEDSTLS'

/** How many connections the server takes at once, up to the number that is set. */
export interface ConnectionCount {
  wanted: number
  taken: number
}

/** Says what a server takes that takes less than is set. */
export const describeShortage = ({ wanted, taken }: ConnectionCount): string | undefined =>
  taken === wanted
    ? undefined
    : `takes ${taken} of ${wanted} connections at once; Gatehouse uses ${taken}`

/** Connects, encrypts and authenticates like a real sending. Throws on any problem. */
export async function checkMailServer(server: MailServerAddress): Promise<void> {
  const session = await openExplained(server)
  await session.quit()
}

/** Does the same with as many connections as are set, at once, and says how many the server takes. Throws if it takes
 * none. */
export async function countConnections(
  server: MailServerAddress,
  wanted: number,
): Promise<ConnectionCount> {
  const sessions = [await openExplained(server)]
  const ending = AbortSignal.timeout(COUNT_TIMEOUT_MS)
  setMaxListeners(0, ending)
  let unanswered = 0
  const others = Array.from({ length: wanted - 1 }, async () => {
    try {
      sessions.push(await openSession(server, ending))
    } catch {
      if (ending.aborted) unanswered++
    }
  })
  await Promise.all(others)
  // Whoever sends next finds all connections free.
  await Promise.all(sessions.map((session) => session.quit()))
  // A server that is only slow refuses none.
  return { wanted, taken: sessions.length + unanswered }
}

async function openExplained(server: MailServerAddress): Promise<SmtpSession> {
  const ending = new AbortController()
  let needsTls = false
  const timer = setTimeout(async () => {
    needsTls = await speaksTls(server)
    if (needsTls) ending.abort()
  }, silenceOf(server.smtpUrl))
  try {
    return await openSession(server, ending.signal)
  } catch (error) {
    if (!needsTls) throw error
    throw Object.assign(new Error('this port speaks TLS from the start; use smtps://'), {
      code: NEEDS_TLS,
    })
  } finally {
    clearTimeout(timer)
  }
}

/** Whether a mail server answers over TLS. It gets no password, so its certificate doesn't matter. */
async function speaksTls(server: MailServerAddress): Promise<boolean> {
  const { protocol, hostname, port } = new URL(server.smtpUrl)
  if (protocol !== 'smtp:') return false
  const smtpUrl = `smtps://${hostname}:${port || 587}?tls.rejectUnauthorized=false`
  try {
    const session = await openSession({ ...server, smtpUrl }, AbortSignal.timeout(TLS_TIMEOUT_MS))
    await session.quit()
    return true
  } catch {
    return false
  }
}
