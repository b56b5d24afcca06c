const SMALL = 64 * 1024
const LARGE = 1024 * 1024

/** Large buffers lent out at a time, across all readers. Each reader also has two small ones of its own. */
const MAX_LARGE = 8

/** Bytes per second. A slower reader gains nothing from large buffers and would hold them for long. */
const FAST = 32 * 1024 * 1024

/** The kernel buffers this many bytes immediately, even if the reader takes none, so they say nothing about
 * its speed. */
const SAYS_NOTHING = 8 * 1024 * 1024

const idle: Buffer[] = []
let made = 0

function borrow(): Buffer | undefined {
  if (idle.length > 0) return idle.pop()
  if (made === MAX_LARGE) return undefined
  made++
  return Buffer.allocUnsafeSlow(LARGE)
}

/** Memory for one reader: two buffers used in turn, one being filled while the other is sent. */
export interface DoubleBuffer {
  /** Returns the next buffer, at most `most` bytes long. The caller must be done with the one before last. */
  next(most: number): Buffer
  /** Reports how long the reader took to accept this many bytes. */
  taken(bytes: number, milliseconds: number): void
  release(): void
}

interface Seat {
  small: Buffer | undefined
  lent: Buffer | undefined
}

export function createDoubleBuffer(): DoubleBuffer {
  const seats: [Seat, Seat] = [
    { small: undefined, lent: undefined },
    { small: undefined, lent: undefined },
  ]
  let turn = 0
  let total = 0
  let isFast = false

  function giveBack(seat: Seat): void {
    if (seat.lent) idle.push(seat.lent)
    seat.lent = undefined
  }

  return {
    next(most) {
      const seat = seats[turn++ % 2] as Seat
      giveBack(seat)
      if (isFast && most > SMALL) seat.lent = borrow()
      if (seat.lent) return seat.lent.subarray(0, most)
      seat.small ??= Buffer.allocUnsafeSlow(SMALL)
      return seat.small.subarray(0, most)
    },
    taken(bytes, milliseconds) {
      total += bytes
      isFast = total > SAYS_NOTHING && bytes * 1000 >= FAST * milliseconds
    },
    release() {
      seats.forEach(giveBack)
    },
  }
}
