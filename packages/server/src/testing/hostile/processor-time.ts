const MAX_TRIES = 3

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

/** The most milliseconds of a processor that pass until a timer gets its turn, while the work goes on. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = process.cpuUsage()
  const timer = setInterval(() => {
    longest = Math.max(longest, processorMs(last))
    last = process.cpuUsage()
  }, 1)
  await work().finally(() => clearInterval(timer))
  return Math.max(longest, processorMs(last))
}
