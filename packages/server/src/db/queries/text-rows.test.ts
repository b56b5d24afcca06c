import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useService } from '../../testing/use-service.ts'
import { textRows } from './text-rows.ts'

describe.each(databases)('texts as rows on $name', (database) => {
  const service = useService(database)

  const read = async (texts: readonly string[]) => {
    const { read: db } = service.ctx.environments.production.database
    const { rows } = await sql<{ key: string }>`select key from ${textRows(texts)}`.execute(db)
    return rows.map(({ key }) => key).sort()
  }

  it.each([
    [
      ['news', 'film', 'news'],
      ['film', 'news'],
    ],
    [[], []],
    [['half a pair: \ud83d'], ['half a pair: \ufffd']],
    [['', ' ', '1', '-1', '1.0', '__proto__', 'constructor']],
    [['a"b', 'a\\b', '\\u0041', "it's", '{}', '$1', '%', 'a\tb\nc', '\u007f', '\u2028']],
    [['Grüße', 'é', 'e\u0301', '😀', '\ufeff', 'x'.repeat(255)]],
  ])('come out as they went in, each once: %j', async (texts, expected = [...texts].sort()) => {
    expect(await read(texts)).toEqual(expected)
  })
})
