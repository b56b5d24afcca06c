// Rounds, and the time that they may take.

/** Passes `work` a time limit for its loops to check; rejects if it still runs after 1.5 times the limit. */
export async function withinLimit(seconds, work) {
  const end = performance.now() + seconds * 1000
  const limit = { isOver: () => performance.now() > end }
  let timer
  const givenUp = new Promise((_, reject) => {
    const give = () => reject(new Error(`given up after ${seconds * 1.5} s`))
    timer = setTimeout(give, seconds * 1500)
  })
  try {
    return { result: await Promise.race([work(limit), givenUp]), wasCut: limit.isOver() }
  } finally {
    clearTimeout(timer)
  }
}

/** Yields the duration of each round: first a warm-up that does not count, then as many rounds as there is time for.
 * Each has its own number, so that no two need to send the same requests. */
export function* roundsOf({ rounds, seconds, warmUp }, limit) {
  if (warmUp > 0) yield { number: rounds, seconds: warmUp, counts: false }
  for (let number = 0; number < rounds; number++) {
    if (number > 0 && limit.isOver()) return
    yield { number, seconds, counts: true }
  }
}
