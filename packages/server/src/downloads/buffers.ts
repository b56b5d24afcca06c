const SMALL = 64 * 1024
const LARGE = 1024 * 1024

/** However many read, this much memory is lent at a time, beside two small buffers for each. */
const MOST_LARGE = 8

/** Whoever takes fewer bytes a second gains nothing by large buffers, and would hold them for long. */
const FAST = 32 * 1024 * 1024

/** So much goes to the kernel's own buffers, at once, whether anybody reads it or not. */
const SAYS_NOTHING = 8 * 1024 * 1024

const idle: Buffer[] = []
let made = 0

function borrow(): Buffer | undefined {
  if (idle.length > 0) return idle.pop()
  if (made === MOST_LARGE) return undefined
  made++
  return Buffer.allocUnsafeSlow(LARGE)
}

/** Memory for one reader, in two buffers that take turns: one is filled while the other is taken. */
export interface TurnBuffers {
  /** The buffer whose turn it is, no longer than that; the one before last is free again by then. */
  next(most: number): Buffer
  /** Tells how long the reader took for so many bytes. */
  taken(bytes: number, milliseconds: number): void
  release(): void
}

interface Seat {
  small: Buffer | undefined
  lent: Buffer | undefined
}

export function createTurnBuffers(): TurnBuffers {
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
