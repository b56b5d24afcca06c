import { describe, expect, it, vi } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useMigratedInstallation } from '../../testing/use-service.ts'
import type { Db } from '../database.ts'
import { environmentMigrations } from '../migrations.ts'
import { openDatabase } from '../open.ts'
import type { Tables } from '../tables.ts'
import { compileOnce } from './compile-once.ts'

describe.each(databases)('A query that is compiled once, on $name', ({ engine, ...database }) => {
  const installation = useMigratedInstallation({ engine, ...database } as never)
  const open = () => {
    const { GATEHOUSE_DATABASE_URL: url = '', GATEHOUSE_DATA: folder = '' } = installation.env
    const location =
      engine === 'sqlite'
        ? ({ engine, folder } as const)
        : ({ engine: 'postgres', url, connections: 2 } as const)
    return openDatabase<Tables>(location, 'production', environmentMigrations)
  }

  it('is built once, and finds what each execution asks for, in transactions too', async () => {
    const production = await open()
    const build = vi.fn((db: Db, p: { name: string; not: string }) =>
      db.selectFrom('meta').select('value').where('name', '=', p.name).where('value', '<>', p.not),
    )
    const find = compileOnce(build)
    await production.write(async (trx) => {
      for (const name of ['one', 'two']) {
        await trx
          .insertInto('meta')
          .values({ name, value: `value of ${name}` })
          .execute()
        expect(await find(trx, { name, not: 'x' })).toEqual([{ value: `value of ${name}` }])
      }
    })
    build.mockClear()
    for (let n = 0; n < 3; n++) {
      for (const name of ['one', 'two']) {
        const value = `value of ${name}`
        expect(await find(production.read, { name, not: 'x' })).toEqual([{ value }])
        expect(await find(production.read, { name, not: value })).toEqual([])
      }
    }
    expect(build).toHaveBeenCalledOnce()
    await production.close()
  })
})
