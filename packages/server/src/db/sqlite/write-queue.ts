import { fail } from '../../errors.ts'

/** With more writes than this in the queue, the service can't keep up. */
const MAX_QUEUE = 5_000

interface Queue {
  run<R>(fn: () => Promise<R>): Promise<R>
  /** Resolves when everything queued so far has finished. */
  drained(): Promise<unknown>
}

/** Runs functions one at a time, in the order of the calls. */
export function createSerialQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    run(fn) {
      if (waiting >= MAX_QUEUE) throw fail('overloaded')
      waiting++
      const result = last.then(fn)
      last = result.then(
        () => waiting--,
        () => waiting--,
      )
      return result
    },
    drained: () => last,
  }
}
