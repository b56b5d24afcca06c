import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'

/** A server on a port of this machine that can stop accepting connections, and start again at the same port. */
export interface LocalListener {
  port: number
  /** The open connections. */
  sockets: ReadonlySet<Socket>
  /** Closes all connections and accepts no new ones until `accept`. */
  refuse(): Promise<void>
  accept(): Promise<void>
}

export async function listenLocally(server: Server): Promise<LocalListener> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    port,
    sockets,
    async refuse() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    accept: () => listen(port),
  }
}
