import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'

/** A DNS server for tests. */
export interface NameServer {
  /** Its address and port. */
  address: string
  /** Returns the addresses of a name. It is asked twice for each lookup, for IPv4 and IPv6; undefined: no answer. */
  answer: (name: string, family: 4 | 6) => readonly string[] | undefined
  /** The questions so far. */
  asked: string[]
  close(): Promise<void>
}

const TYPES = { 1: 4, 28: 6 } as const

export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  const server: NameServer = {
    address: '',
    answer: () => [],
    asked: [],
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query)
    const family = TYPES[query.readUInt16BE(end) as keyof typeof TYPES]
    server.asked.push(`${name} IPv${family}`)
    const found = server.answer(name, family)
    if (found) socket.send(responseTo(query, end + 4, family, found), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  server.address = `127.0.0.1:${socket.address().port}`
  return server
}

const HEADER = 12

/** Reads the name of the question, and where it ends. */
function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = HEADER
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size))
    at += 1 + size
  }
  return { name: labels.join('.'), end: at + 1 }
}

function responseTo(query: Buffer, end: number, family: 4 | 6, addresses: readonly string[]) {
  const question = Buffer.from(query.subarray(0, end))
  // A response, with recursion, and no error; without the records that extend the query.
  question.writeUInt16BE(0x8180, 2)
  question.writeUInt16BE(addresses.length, 6)
  question.writeUInt32BE(0, 8)
  const records = addresses.map((address) => {
    const data = bytesOf(address)
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc000 + HEADER, 0)
    record.writeUInt16BE(family === 4 ? 1 : 28, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([question, ...records])
}

function bytesOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [left, right].map((part) => part.split(':').filter(Boolean))
  const count = 8 - (before?.length ?? 0) - (after?.length ?? 0)
  const groups = [...(before ?? []), ...Array<string>(count).fill('0'), ...(after ?? [])]
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
