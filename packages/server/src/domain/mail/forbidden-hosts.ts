import dns from 'node:dns/promises'
import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { checkedLookup, classOf } from '../../network-addresses.ts'

/** Whether an IP address can't be a mail server. */
export const isForbiddenAddress = (text: string) => isIP(text) > 0 && classOf(text) === 'forbidden'

/** The `code` of the error below. */
export const FORBIDDEN_HOST = 'EFORBIDDENHOST'

function requireAllowed(addresses: readonly string[]): void {
  if (!addresses.some(isForbiddenAddress)) return
  throw Object.assign(new Error('the host leads to an address that is no mail server'), {
    code: FORBIDDEN_HOST,
  })
}

const lookup = checkedLookup((host) => dns.lookup(host, { all: true }), requireAllowed)

/** Opens a connection to a mail server, unless its name leads to a forbidden address. Staff can't enter such an
 * address; what the operator has set as an address is right. */
export async function connectToMailServer(
  host: string,
  port: number,
  timeoutMs: number,
): Promise<Socket> {
  const socket = connect({ host, port, lookup })
  const timer = setTimeout(() => {
    socket.destroy(Object.assign(new Error('the connection timed out'), { code: 'ETIMEDOUT' }))
  }, timeoutMs)
  try {
    await once(socket, 'connect')
  } finally {
    clearTimeout(timer)
  }
  return socket
}
