import type { LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** The reach of an IP address: the internet (`public`); a network or machine of the operator's, or an unused one
 * (`internal`); or an address that can't be that of anybody's service (`forbidden`): "this host", and the link-local
 * addresses, at which clouds hand out credentials. */
export type AddressClass = 'public' | 'internal' | 'forbidden'

const forbidden = listOf([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '::/128',
  'fe80::/10',
  // The same service of Amazon over IPv6, which is not link-local.
  'fd00:ec2::254/128',
])

const internal = listOf([
  // Loopback, private networks, networks of providers.
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'],
  // Assigned to protocols, documentation and benchmarks.
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24'],
  // Multicast, reserved and broadcast.
  ...['224.0.0.0/4', '240.0.0.0/4'],
  // Teredo, other protocols, documentation, 6to4. The tunnels contain an IPv4 address that somebody else routes to.
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
])

/** The part of IPv6 that is routed on the internet. Loopback, private and local networks and multicast are outside. */
const routed = listOf(['2000::/3'])

/** IPv6 networks whose last 32 bits are the IPv4 address that is really meant, each with its first 96 bits: mapped,
 * translated, compatible, and NAT64, through which a machine without IPv4 reaches all of it. */
const CONTAINS_IPV4 = [
  '0000000000000000' + '0000ffff',
  '0000000000000000' + 'ffff0000',
  '0000000000000000' + '00000000',
  '0064ff9b00000000' + '00000000',
]

/** A list of networks, each as an address and a number of bits, or a single address. */
export function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return list
}

/** Whether a network of the list contains the address, whichever way it is written. */
export function isIn(list: BlockList, address: string): boolean {
  const plain = plainAddress(address)
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}

/** Classifies an IP address. */
export function classOf(address: string): AddressClass {
  if (isIn(forbidden, address)) return 'forbidden'
  if (isIn(internal, address)) return 'internal'
  return isIP(plainAddress(address)) === 4 || isIn(routed, address) ? 'public' : 'internal'
}

/** Returns a function that says how far somebody who is not the operator may make the service connect: `allowed` is an
 * address in one of the networks that the operator allows, and `refused` any other that is not public. */
export function createReachCheck(
  allow: readonly string[],
): (address: string) => 'allowed' | 'public' | 'refused' {
  const allowed = listOf(allow)
  return (address) => {
    if (isIn(allowed, address)) return 'allowed'
    return classOf(address) === 'public' ? 'public' : 'refused'
  }
}

/** Returns the address without a zone, and the IPv4 address that is inside an IPv6 address. */
function plainAddress(text: string): string {
  const [address = ''] = text.split('%')
  if (isIP(address) !== 6) return address
  const digits = hexOf(address)
  // "This host" and loopback look like compatible addresses.
  if (/^0{31}[01]$/.test(digits) || !CONTAINS_IPV4.includes(digits.slice(0, 24))) return address
  return Buffer.from(digits.slice(24), 'hex').join('.')
}

/** The 32 hexadecimal digits of an IPv6 address. A URL writes all of its forms alike. */
function hexOf(address: string): string {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [left = '', right] = canonical.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const [before, after] = [groups(left), groups(right ?? '')]
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join('')
}

/**
 * A lookup for `net.connect` and requests that resolves a name, lets `check` throw if an address of it is not allowed,
 * and connects to the addresses that were checked: a name that leads elsewhere a moment later gains nothing. Node
 * does not look up a host that is an address.
 */
export function checkedLookup(
  resolve: (host: string) => Promise<LookupAddress[]>,
  check: (addresses: readonly string[]) => void,
): LookupFunction {
  return (host, options, callback) => {
    const find = async () => {
      const found = await resolve(host)
      check(found.map(({ address }) => address))
      return found
    }
    find().then(
      (found) => {
        const [first] = found
        if (options.all) callback(null, found)
        else callback(null, first?.address ?? '', first?.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
}
