import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Leads to a server, by connections that break. */
export interface CuttingProxy {
  /** The same address by this way. */
  through(url: string): string
  readonly cuts: number
  stop(): Promise<void>
}

export interface Cut {
  /** So many bytes of answers. */
  after: number
  /** By an end that looks like any other, or by a reset. */
  politely: boolean
}

/** Each connection is cut as `nextCut` says; undefined leaves it whole. */
export async function startCuttingProxy(
  target: string,
  nextCut: () => Cut | undefined,
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let cuts = 0
  const server = createServer((reader) => {
    const upstream = connect({ host: hostname, port: Number(port) })
    const both = [reader, upstream]
    const cut = () => {
      for (const socket of both) socket.resetAndDestroy()
    }
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', cut)
      socket.once('close', () => sockets.delete(socket))
    }
    reader.pipe(upstream)
    forward(upstream, reader, nextCut(), () => {
      cuts++
      cut()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = server.address() as AddressInfo
  return {
    through(url) {
      const address = new URL(url)
      address.port = String(own.port)
      return address.href
    },
    get cuts() {
      return cuts
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Hands on as many bytes as may pass; then the connection ends in the middle of whatever came. */
function forward(from: Socket, to: Socket, cut: Cut | undefined, onCut: () => void): void {
  let left = cut?.after ?? Number.POSITIVE_INFINITY
  from.on('data', (chunk) => {
    if (left <= 0) return
    const passing = chunk.subarray(0, Math.min(left, chunk.length))
    left -= passing.length
    // Cut only when these bytes are out: they are what the reader has to go on from.
    if (left <= 0) to.write(passing, () => (cut?.politely ? to.end(onCut) : onCut()))
    else if (!to.write(passing)) {
      from.pause()
      to.once('drain', () => from.resume())
    }
  })
  from.once('end', () => to.end())
  to.once('end', () => from.end())
}
