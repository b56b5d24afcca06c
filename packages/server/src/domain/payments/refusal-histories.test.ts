import { describe, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { playRefusalHistories } from '../../testing/payments/refusal-histories.ts'
import { useBooks } from '../../testing/stripe/books.ts'

describe.each(databases)('random refusals of Stripe on $name', (database) => {
  const books = useBooks(database)

  it('charge and pay back nothing twice, and are told to staff', { timeout: 300_000 }, async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    console.info(`MONEY_SEED=${seed}`)
    await playRefusalHistories(books, { count: 3, seed })
  })
})
