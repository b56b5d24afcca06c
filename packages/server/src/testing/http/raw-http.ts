import { createHmac } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/** A response read from a socket. Raw HTTP is for requests that no client library would send. */
export interface RawResponse {
  status: number
  headers: ReadonlyMap<string, string>
  body: string
}

/** A connection that stays open between requests. Strings to send have one character for each byte. */
export class RawConnection {
  readonly #socket: Socket
  #received = ''
  #ended = false
  #wake: () => void = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => {
      this.#received += chunk.toString('latin1')
      this.#wake()
    })
    // A reset counts as a normal end of the connection: only what came before it matters.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#ended = true
      this.#wake()
    })
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port) })
    const connection = new RawConnection(socket)
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
    return connection
  }

  get isOpen(): boolean {
    return !this.#ended
  }

  /** Resolves when the bytes were handed to the system, or the connection is closed. */
  async write(bytes: string): Promise<void> {
    if (this.#ended || this.#socket.write(bytes, 'latin1')) return
    await new Promise((resolve) => this.#socket.once('drain', resolve).once('close', resolve))
  }

  /** Returns the next response; undefined if the connection ends without one. */
  async answer(toHead = false): Promise<RawResponse | undefined> {
    for (;;) {
      const found = parseResponse(this.#received, toHead)
      if (found) {
        this.#received = found.rest
        return found.answer
      }
      if (this.#ended) return undefined
      await this.#change()
    }
  }

  async ended(): Promise<void> {
    while (!this.#ended) await this.#change()
  }

  close(): void {
    this.#socket.destroy()
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}

function parseResponse(text: string, toHead: boolean) {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const status = Number(statusLine.split(' ')[1])
  const start = end + 4
  if (status === 100) return parseResponse(text.slice(start), toHead)
  const length = toHead ? 0 : Number(headers.get('content-length') ?? 0)
  if (text.length < start + length) return undefined
  const body = Buffer.from(text.slice(start, start + length), 'latin1').toString('utf8')
  return { answer: { status, headers, body }, rest: text.slice(start + length) }
}

/** Sends these bytes on a new connection. */
export async function sendRaw(url: string, bytes: string): Promise<RawResponse | undefined> {
  const connection = await RawConnection.open(url)
  try {
    await connection.write(bytes)
    return await connection.answer(bytes.startsWith('HEAD '))
  } finally {
    connection.close()
  }
}

/** Computes a signature independently of the code under test. */
export function hmac(privateKey: string, text: string): string {
  return createHmac('sha256', privateKey).update(text, 'latin1').digest('base64url')
}

export interface RequestParts {
  method?: string
  target: string
  /** Header lines. */
  headers?: readonly string[]
  host?: string
  body?: string
}

export function requestBytes({
  method = 'GET',
  host = 'gatehouse.test',
  target,
  headers = [],
  body,
}: RequestParts): string {
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`]
  const lines = [`${method} ${target} HTTP/1.1`, `Host: ${host}`, ...headers, ...length]
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** A request signed for its own method and target, unless `signed` is given. */
export function signedBytes(
  { aid, privateKey }: { aid: string; privateKey: string },
  parts: RequestParts & { prefix?: string; signed?: string },
): string {
  const { method = 'GET', target, headers = [], prefix = '' } = parts
  const signature = hmac(privateKey, parts.signed ?? `${method} ${target}`)
  return requestBytes({
    ...parts,
    target: prefix + target,
    headers: [`Authorization: ${aid}:${signature}`, ...headers],
  })
}
