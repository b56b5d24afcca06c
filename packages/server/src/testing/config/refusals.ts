import { expect } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { OperatorError } from '../../errors.ts'

/** Returns the message that a start would fail with; throws if it would succeed. */
export function refusalOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError)
    const { message } = error as OperatorError
    expect(message).not.toMatch(/[\n\r]/)
    return message
  }
  throw new Error('expected a refusal')
}

/** Returns why these settings are refused. */
export const refused = (env: Record<string, string>) => refusalOf(() => readConfig(env))
