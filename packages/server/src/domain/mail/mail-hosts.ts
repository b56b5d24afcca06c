import dns from 'node:dns/promises'
import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { checkedLookup, classOf, createReachCheck } from '../../network-addresses.ts'

/** Which addresses a mail server may have. It depends on who has set the server. */
export interface MailHostCheck {
  /** Whether a connection may be made to this IP address. */
  isAllowed(address: string): boolean
  /** Whether the operator has set the server. What the operator has set as an address, and not as a name, is right. */
  isOperators: boolean
}

/** For the server that the operator has set. Its name must not lead to an address at which clouds hand out credentials. */
export const OPERATORS_MAIL_HOST: MailHostCheck = {
  isAllowed: (address) => classOf(address) !== 'forbidden',
  isOperators: true,
}

/** For a server that staff have entered: public addresses, and the networks that the operator allows. */
export function staffMailHost(allow: readonly string[]): MailHostCheck {
  const reachOf = createReachCheck(allow)
  return { isAllowed: (address) => reachOf(address) !== 'refused', isOperators: false }
}

/** The `code` of the error below. */
export const FORBIDDEN_HOST = 'EFORBIDDENHOST'

function requireAllowed({ isAllowed, isOperators }: MailHostCheck, addresses: readonly string[]) {
  if (addresses.every(isAllowed)) return
  const message = isOperators
    ? 'the host leads to an address that is no mail server'
    : 'the host leads to a private network or to this machine, which GATEHOUSE_MAIL_ALLOW does not allow'
  throw Object.assign(new Error(message), { code: FORBIDDEN_HOST })
}

/** Opens a connection to a mail server, at the addresses that were checked. */
export async function connectToMailServer(
  host: string,
  port: number,
  {
    check,
    timeoutMs,
    signal,
  }: { check: MailHostCheck; timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<Socket> {
  // Node looks up names only.
  if (isIP(host) > 0 && !check.isOperators) requireAllowed(check, [host])
  const resolve = (name: string) => dns.lookup(name, { all: true })
  const lookup = checkedLookup(resolve, (addresses) => requireAllowed(check, addresses))
  const socket = connect({ host, port, lookup })
  const timer = setTimeout(() => {
    socket.destroy(Object.assign(new Error('the connection timed out'), { code: 'ETIMEDOUT' }))
  }, timeoutMs)
  try {
    await once(socket, 'connect', signal ? { signal } : {})
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
  return socket
}
