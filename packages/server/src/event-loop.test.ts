import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { requestTurns } from './event-loop.ts'

/** Keeps the event loop for longer than a turn may last. */
function work(): void {
  const start = performance.now()
  while (performance.now() - start < 4);
}

/** Uses up the current turn, as other requests would. */
const useUpTurn = () => {
  while (!requestTurns.isOver());
}

it('work that waits for a turn gets one, although new work arrives in every turn', async () => {
  let waited: Promise<number> | undefined
  let isServed = false
  let served = 0
  async function arrive(): Promise<void> {
    await requestTurns.take()
    work()
    served++
    const before = served
    waited ??= requestTurns.take()?.then(() => {
      isServed = true
      return served - before
    })
  }
  const arrived: Promise<void>[] = []
  // The work takes longer than the timer, so that there is new work in every turn, before its immediates run.
  for (let n = 0; n < 100 && !isServed; n++) {
    await new Promise((resolve) => setTimeout(resolve, 0))
    arrived.push(arrive())
  }
  await Promise.all(arrived)
  expect(await waited).toBe(0)
})

it('turns are given in the order of the calls, and each is left to others when it is over', async () => {
  await setImmediate()
  useUpTurn()
  const order: number[] = []
  const turns = new Set<number>()
  let turn = 0
  let isOver = false
  async function count(): Promise<void> {
    for (; !isOver; turn++) await setImmediate()
  }
  const counting = count()
  const take = async (n: number) => {
    await requestTurns.take()
    order.push(n)
    turns.add(turn)
    work()
  }
  const waiting = [take(0), take(1), take(2)]
  // Later calls get their turns after the earlier ones.
  for (let n = 3; n < 8; n++) {
    await setImmediate()
    waiting.push(take(n))
  }
  await Promise.all(waiting)
  isOver = true
  await counting
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(turns.size).toBe(8)
})

it('work that is short shares a turn', async () => {
  await setImmediate()
  useUpTurn()
  let turn = 0
  const turns = await Promise.all(
    Array.from({ length: 50 }, async () => {
      await requestTurns.take()
      void setImmediate().then(() => turn++)
      return turn
    }),
  )
  expect(new Set(turns).size).toBeLessThan(25)
})
