import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { freePort, stop, until } from '../../scripts/loopback.mjs'

/** A running server, without a bucket. */
export interface ForeignS3 {
  url: string
  keys: { accessKeyId: string; secretAccessKey: string }
  canListUploads: boolean
  stop(): Promise<void>
}

/** The folder in which somebody has installed s3rver with npm. */
const FOLDER = process.env.S3RVER_FOLDER ?? ''

const PROGRAM = join(FOLDER, 'node_modules/s3rver/bin/s3rver.js')

export const hasS3rver = () => FOLDER !== '' && existsSync(PROGRAM)

/** Starts s3rver, which keeps its objects in this folder. */
export async function startS3rver(folder: string): Promise<ForeignS3> {
  const port = await freePort()
  const place = ['-d', folder, '-a', '127.0.0.1', '-p', String(port)]
  const child = spawn(process.execPath, [PROGRAM, '-s', ...place], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await until('s3rver', async () => (await fetch(url)).status > 0)
  return {
    url,
    keys: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    canListUploads: false,
    stop: () => stop(child),
  }
}

/** A connection to a server that can be cut while it sends. */
export interface Cutter {
  url: string
  /** Cuts the next connections that send more than so many bytes, as often as this. */
  cut(bytes: number, times: number): void
  stop(): Promise<void>
}

export async function startCutter(target: string): Promise<Cutter> {
  const { hostname, port } = new URL(target)
  let [limit, left] = [0, 0]
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    client.pipe(upstream)
    let sent = 0
    upstream.on('data', (bytes) => {
      sent += bytes.length
      client.write(bytes)
      if (left > 0 && sent > limit) {
        left--
        client.destroy()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    cut(bytes, times) {
      limit = bytes
      left = times
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
