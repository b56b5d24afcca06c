import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to a server, whose connections break. */
export interface CuttingProxy {
  /** The same address through this proxy. */
  through(url: string): string
  readonly cuts: number
  stop(): Promise<void>
}

export interface Cut {
  /** The number of response bytes after which the connection is cut. */
  after: number
  /** Whether the connection ends normally or with a reset. */
  politely: boolean
}

/** Cuts each connection as `nextCut` says; undefined leaves it intact. */
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

/** Passes on as many bytes as allowed, then ends the connection. */
function forward(from: Socket, to: Socket, cut: Cut | undefined, onCut: () => void): void {
  let left = cut?.after ?? Number.POSITIVE_INFINITY
  from.on('data', (chunk) => {
    if (left <= 0) return
    const passing = chunk.subarray(0, Math.min(left, chunk.length))
    left -= passing.length
    // Cut only when these bytes are sent: the reader must be able to resume after them.
    if (left <= 0) to.write(passing, () => (cut?.politely ? to.end(onCut) : onCut()))
    else if (!to.write(passing)) {
      from.pause()
      to.once('drain', () => from.resume())
    }
  })
  from.once('end', () => to.end())
  to.once('end', () => from.end())
}
