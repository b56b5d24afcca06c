import dns from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Never a mail server: "this host", and the link-local addresses, at which clouds hand out credentials. */
const forbidden = new BlockList()
forbidden.addAddress('0.0.0.0')
forbidden.addAddress('::', 'ipv6')
forbidden.addSubnet('169.254.0.0', 16)
forbidden.addSubnet('fe80::', 10, 'ipv6')
forbidden.addAddress('fd00:ec2::254', 'ipv6')

/** Whether an IP address can't be a mail server. An IPv4 address in the notation of IPv6 counts as well. */
export function isForbiddenAddress(text: string): boolean {
  const [address = ''] = text.split('%')
  const family = isIP(address)
  return family !== 0 && forbidden.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** The `code` of the error below. */
export const FORBIDDEN_HOST = 'EFORBIDDENHOST'

/** Throws if a name leads to such an address. Staff can't enter one; what the operator has set as an address is right. */
export async function requireAllowedHost(host: string): Promise<void> {
  if (isIP(host) > 0) return
  // A name that can't be resolved here fails with its own error when the connection is opened.
  const found = await dns.lookup(host, { all: true }).catch(() => [])
  if (!found.some(({ address }) => isForbiddenAddress(address))) return
  throw Object.assign(new Error('the host leads to an address that is no mail server'), {
    code: FORBIDDEN_HOST,
  })
}
