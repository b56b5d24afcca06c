import { expect } from 'vitest'
import { type ProcessEnd, type ServerProcess, startProcess } from './process.ts'

const AFTER_PAUSE_MS = 5_000

export interface ServerGroupOptions {
  /** How many processes share the home; one by default. */
  count?: number | undefined
  /** Allows outages in the log: the database is sometimes down, or waits for a paused server. */
  isFrail?: boolean
}

/** Servers on one home; `start` replaces those that were killed. */
export class ServerGroup {
  /** How many processes were killed. */
  kills = 0
  readonly #env: Record<string, string>
  readonly #options: ServerGroupOptions
  readonly #all = new Set<ServerProcess>()
  /** The running servers by address. */
  readonly #running = new Map<string, ServerProcess>()
  readonly #killed = new Set<string>()
  #turn = 0
  #pausedUntil = Number.NEGATIVE_INFINITY
  #isUp = newSignal()

  constructor(env: Record<string, string>, options: ServerGroupOptions = {}) {
    this.#env = env
    this.#options = options
  }

  /** The addresses of the running servers. */
  get urls(): string[] {
    return [...this.#running.keys()]
  }

  /** Returns the running servers in turn. */
  next(): string | undefined {
    const { urls } = this
    return urls[this.#turn++ % urls.length]
  }

  /** Does the same, but waits until a server runs. */
  async url(): Promise<string> {
    for (;;) {
      const url = this.next()
      if (url !== undefined) return url
      await this.#isUp.promise
    }
  }

  /** Whether a request to this address may have got no response. */
  wasKilled(url: string): boolean {
    return this.#killed.has(url)
  }

  /** Whether a server was paused at this time or shortly before. On PostgreSQL, requests that wait longer than 3
   * seconds for a row that it has locked are refused, and so are others in the meantime. */
  mayHold(from: number): boolean {
    return from <= this.#pausedUntil + AFTER_PAUSE_MS
  }

  /** Starts as many servers as are missing. */
  async start(): Promise<void> {
    const missing = (this.#options.count ?? 1) - this.#running.size
    await Promise.all(Array.from({ length: missing }, () => this.#startOne()))
  }

  /** Kills one server at random, or all of them. */
  async kill(random: () => number): Promise<void> {
    if (random() < 0.5) await this.killOne(random)
    else await Promise.all(this.urls.map((url) => this.#kill(url)))
  }

  async killOne(random: () => number): Promise<void> {
    await this.#kill(this.#anyOf(random))
  }

  /** Pauses a random server in the middle of whatever it does, until `meanwhile` is done. */
  async pauseOne(random: () => number, meanwhile: () => Promise<unknown>): Promise<void> {
    const server = this.#running.get(this.#anyOf(random))
    this.#pausedUntil = Number.POSITIVE_INFINITY
    server?.signal('SIGSTOP')
    try {
      await meanwhile()
    } finally {
      server?.signal('SIGCONT')
      this.#pausedUntil = performance.now()
    }
  }

  async stop(): Promise<void> {
    const servers = [...this.#running.values()]
    this.#running.clear()
    for (const ended of await Promise.all(servers.map((server) => server.stop()))) {
      expect(ended, endOf(ended)).toMatchObject({ code: 0, stderr: '' })
      this.#requireQuiet(ended.stdout)
    }
  }

  /** The end of what each server has printed. */
  readLogs(): string {
    return [...this.#all].map(({ pid, stdout }) => `${pid}:\n${stdout.slice(-8_000)}`).join('\n')
  }

  /** Leaves no process behind, however the test went. */
  async end(): Promise<void> {
    await Promise.all([...this.#all].map((server) => server.kill()))
  }

  async #startOne(): Promise<void> {
    const server = await startProcess({ env: this.#env })
    this.#all.add(server)
    const url = await server.url
    this.#killed.delete(url)
    this.#running.set(url, server)
    this.#isUp.resolve()
  }

  #anyOf(random: () => number): string {
    const { urls } = this
    return urls[Math.floor(random() * urls.length)] as string
  }

  async #kill(url: string): Promise<void> {
    const server = this.#running.get(url)
    this.#running.delete(url)
    this.#killed.add(url)
    if (this.#running.size === 0) this.#isUp = newSignal()
    const ended = await server?.kill()
    expect(ended).toMatchObject({ signal: 'SIGKILL', stderr: '' })
    this.#requireQuiet(ended?.stdout ?? '')
    this.kills++
  }

  /** Requires that failures of the provider are not logged as errors, and secrets not at all. */
  #requireQuiet(stdout: string): void {
    expect(stdout).not.toMatch(/sk_test_|whsec_/)
    const errors = stdout.split('\n').filter((line) => /"level":[56]0/.test(line))
    const isOutage = (line: string) =>
      /"trouble":"database_unavailable"|"msg":"the database is not available"/.test(line)
    expect(errors.filter((line) => !this.#options.isFrail || !isOutage(line))).toEqual([])
  }
}

/** What a process said last: the difference that the test reports leaves it out. */
const endOf = ({ stdout, stderr }: ProcessEnd) => `${stdout.slice(-2_000)}\n${stderr}`

function newSignal() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
