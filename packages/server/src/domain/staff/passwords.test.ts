import { describe, expect, it } from 'vitest'
import { isCorrectPassword } from './passwords.ts'

describe('checks of passwords', () => {
  it('take turns, and send away whom they have no time for', async () => {
    const crowd = Array.from({ length: 80 }, () =>
      isCorrectPassword(null, 'whatever it is').catch(({ code }) => code as string),
    )
    const answers = await Promise.all(crowd)
    expect(answers.filter((answer) => answer === 'overloaded').length).toBeGreaterThan(20)
    expect(answers.filter((answer) => answer === false).length).toBeGreaterThanOrEqual(50)
    expect(await isCorrectPassword(null, 'whatever it is')).toBe(false)
  })
})
