import { setImmediate } from 'node:timers/promises'
import { isCorrectPassword } from '../domain/staff/passwords.ts'
import { withFullHashCost } from './argon2.ts'

/** More than are checked or may wait at a time. */
const CROWD = 60

/** Runs `work` while other clients try so many passwords that most further attempts are refused; `disperse` ends
 * that. */
export async function inCrowd<T>(work: (disperse: () => void) => Promise<T>): Promise<T> {
  let isOver = false
  const disperse = () => {
    isOver = true
  }
  return await withFullHashCost(async () => {
    const crowd: Promise<void>[] = []
    await new Promise<void>((onFull) => {
      async function insist(): Promise<void> {
        while (!isOver) {
          await isCorrectPassword(null, 'of the crowd').catch(onFull)
          await setImmediate()
        }
      }
      for (let n = 0; n < CROWD; n++) crowd.push(insist())
    })
    try {
      return await work(disperse)
    } finally {
      disperse()
      await Promise.all(crowd)
    }
  })
}
