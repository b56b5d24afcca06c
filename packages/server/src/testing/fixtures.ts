import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

type Create<T> = () => Promise<T>
type Remove<T> = (fixture: T) => unknown

/**
 * Creates an object before the tests of the current `describe` block and removes it after them. Tests use the returned
 * object as if it were the created one; using it before the tests run throws.
 */
export function useFixture<T extends object>(create: Create<T>, remove: Remove<T> = () => {}): T {
  const current = new Current<T>()
  beforeAll(async () => current.set(await create()))
  afterAll(() => current.clear(remove))
  return current.proxy
}

/** Does the same for each test. */
export function useFreshFixture<T extends object>(
  create: Create<T>,
  remove: Remove<T> = () => {},
): T {
  const current = new Current<T>()
  beforeEach(async () => current.set(await create()))
  afterEach(() => current.clear(remove))
  return current.proxy
}

/** Holds the created object; `proxy` passes everything on to it. */
class Current<T extends object> {
  #value: T | undefined
  readonly proxy: T = new Proxy({} as T, {
    get: (_, name) => Reflect.get(this.#get(), name),
    set: (_, name, value) => Reflect.set(this.#get(), name, value),
    has: (_, name) => Reflect.has(this.#get(), name),
    ownKeys: () => Reflect.ownKeys(this.#get()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(this.#get(), name),
  })

  #get(): T {
    if (this.#value === undefined) throw new Error('a fixture can only be used while tests run')
    return this.#value
  }

  set(value: T): void {
    this.#value = value
  }

  async clear(remove: Remove<T>): Promise<void> {
    const value = this.#value
    this.#value = undefined
    // Undefined if creating it has failed.
    if (value !== undefined) await remove(value)
  }
}
