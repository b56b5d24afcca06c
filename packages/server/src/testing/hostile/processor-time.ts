const MAX_TRIES = 10

const processorMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

/** Milliseconds of a processor that a piece of work takes. The least of a few measurements if it is over the limit: the process
 * also compiles and collects garbage. */
export function leastProcessorMs(work: () => unknown, limitMs: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < MAX_TRIES && least >= limitMs; tries++) {
    const before = process.cpuUsage()
    work()
    least = Math.min(least, processorMs(before))
  }
  return least
}

/** How often a timer gets its turn only after so many milliseconds of a processor, while the work goes on. */
export async function countLongTurns(
  work: () => Promise<unknown>,
  limitMs: number,
): Promise<number> {
  let count = 0
  let last = process.cpuUsage()
  const look = () => {
    if (processorMs(last) > limitMs) count++
    last = process.cpuUsage()
  }
  const timer = setInterval(look, 1)
  await work().finally(() => clearInterval(timer))
  look()
  return count
}
