import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = new URL('../../../', import.meta.url)
const page = readFileSync(new URL('docs/internals/asvs.md', root), 'utf8')

interface Row {
  number: string
  wasUnmet: boolean
  asks: string
  files: string[]
}

const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+)( ★)? \| ([^|]+) \| ([^|]*) \|$/gm)].map(
  ([, number = '', star, asks = '', shownBy = '']): Row => ({
    number,
    wasUnmet: star !== undefined,
    asks,
    files: [...shownBy.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  }),
)

/** How many requirements of each chapter apply. */
const APPLY = {
  ...{ 1: 20, 2: 11, 3: 18, 4: 4, 5: 8, 6: 30, 7: 15, 8: 7, 9: 7 },
  ...{ 11: 13, 12: 6, 13: 13, 14: 9, 15: 13, 16: 16 },
}

const places = (file: string) => [new URL(file, root), new URL(`packages/server/src/${file}`, root)]

describe('the table of requirements', () => {
  it('has each one that applies, once', () => {
    expect(new Set(rows.map(({ number }) => number)).size).toBe(190)
    const counts: Record<string, number> = {}
    for (const { number } of rows) {
      const chapter = number.split('.')[0] as string
      counts[chapter] = (counts[chapter] ?? 0) + 1
    }
    expect(counts).toEqual(APPLY)
    expect(rows.filter(({ wasUnmet }) => wasUnmet)).toHaveLength(57)
  })

  it('names files that exist, for each of them', () => {
    expect(rows.filter(({ files }) => files.length === 0)).toEqual([])
    const missing = rows.flatMap(({ number, files }) =>
      files
        .filter((file) => !places(file).some((place) => existsSync(fileURLToPath(place))))
        .map((file) => `${number} ${file}`),
    )
    expect(missing).toEqual([])
  })
})
