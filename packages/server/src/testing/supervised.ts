import { expect } from 'vitest'
import { type ServerProcess, startProcess } from './process.ts'

/** A server that is there again after each kill. */
export class Supervised {
  kills = 0
  readonly #env: Record<string, string>
  #server: ServerProcess | undefined
  #isUp = newSignal<string>()

  constructor(env: Record<string, string>) {
    this.#env = env
  }

  /** Its address, once it runs. */
  get url(): Promise<string> {
    return this.#isUp.promise
  }

  async start(): Promise<void> {
    this.#server = await startProcess({ env: this.#env })
    this.#isUp.resolve(`${await this.#server.url}/sandbox`)
  }

  async kill(): Promise<void> {
    this.#isUp = newSignal()
    expect(await this.#server?.kill()).toMatchObject({ signal: 'SIGKILL', stderr: '' })
    this.#requireQuiet()
    this.kills++
  }

  async stop(): Promise<void> {
    expect(await this.#server?.stop()).toMatchObject({ code: 0, stderr: '' })
    this.#requireQuiet()
  }

  /** Leaves no process behind, however the test went. */
  async end(): Promise<void> {
    await this.#server?.kill()
  }

  /** Trouble with the provider is no error of ours, and no reason to tell secrets. */
  #requireQuiet(): void {
    expect(this.#server?.stdout).not.toMatch(/"level":[56]0|sk_test_|whsec_/)
  }
}

function newSignal<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
