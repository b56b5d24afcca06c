import { fail } from '../errors.ts'

/** More writes than this waiting for their turn means that we can't keep up. */
const LONGEST_QUEUE = 5_000

interface Queue {
  run<R>(fn: () => Promise<R>): Promise<R>
  /** When all that was called for so far is over. */
  drained(): Promise<unknown>
}

/** Runs one at a time, in the order of the calls. */
export function oneAtATime(): Queue {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    run(fn) {
      if (waiting >= LONGEST_QUEUE) throw fail('overloaded')
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
