import { setImmediate } from 'node:timers/promises'
import { isCorrectPassword } from '../domain/staff/passwords.ts'
import { withFullHashCost } from './argon2.ts'

/** More than are checked or may wait at a time. */
const ATTACKER_COUNT = 60

/** Runs `work` while other clients try so many passwords that most further attempts are refused; `stopFlood` ends
 * that. */
export async function duringPasswordFlood<T>(
  work: (stopFlood: () => void) => Promise<T>,
): Promise<T> {
  let isOver = false
  const stopFlood = () => {
    isOver = true
  }
  return await withFullHashCost(async () => {
    const attackers: Promise<void>[] = []
    await new Promise<void>((onFull) => {
      async function attack(): Promise<void> {
        while (!isOver) {
          await isCorrectPassword(null, 'wrong password').catch(onFull)
          await setImmediate()
        }
      }
      for (let n = 0; n < ATTACKER_COUNT; n++) attackers.push(attack())
    })
    try {
      return await work(stopFlood)
    } finally {
      stopFlood()
      await Promise.all(attackers)
    }
  })
}
