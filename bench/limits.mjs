// Rounds, and the time that they may take.

/** One that loops look at; whatever hangs is given up a little later. */
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

/** How long each round is to last: first one that does not count, then as many as there is time for. Each has a
 * number of its own from 0 on, so that no two need send the same. */
export function* roundsOf({ rounds, seconds, warmUp }, limit) {
  if (warmUp > 0) yield { number: rounds, seconds: warmUp, counts: false }
  for (let number = 0; number < rounds; number++) {
    if (number > 0 && limit.isOver()) return
    yield { number, seconds, counts: true }
  }
}
