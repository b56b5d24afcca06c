import { describe, expect, it } from 'vitest'
import { databases } from '../testing/databases.ts'
import { useService } from '../testing/use-service.ts'
import { deleteRows, findRow, updateRows } from './rows.ts'

describe.each(databases)('a row that is named by a key without a value, on $name', (database) => {
  const service = useService(database)
  const key = { aid: 'a', uid: undefined as unknown as string }

  it('is refused, instead of meaning every row that fits the rest', async () => {
    const { database: db } = service.ctx.environments.production
    const message = 'a key has no value'
    await expect(findRow(db.read, 'users', key)).rejects.toThrow(message)
    await expect(db.write((trx) => updateRows(trx, 'users', key, {}))).rejects.toThrow(message)
    await expect(db.write((trx) => deleteRows(trx, 'users', key))).rejects.toThrow(message)
    await expect(db.write((trx) => deleteRows(trx, 'users', {}))).rejects.toThrow(message)
  })
})
