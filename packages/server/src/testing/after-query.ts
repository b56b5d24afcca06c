import type { Trx } from '../db/database.ts'

/** Runs `act` right after the n-th query of a transaction, before its result is returned. Only queries whose text matches
 * `counted` count. */
export function afterQuery(trx: Trx, n: number, act: () => Promise<unknown>, counted = /^/): void {
  const executor = trx.getExecutor()
  const { executeQuery } = executor
  let count = 0
  executor.executeQuery = async (query) => {
    const isTurn = counted.test(query.sql) && ++count === n
    const result = await executeQuery.call(executor, query)
    if (isTurn) await act()
    return result as never
  }
}
