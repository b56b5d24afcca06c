import { describe, expect, it } from 'vitest'
import type { DownloadRow } from '../downloads/downloads.ts'
import { OPENS_NOTHING } from '../passes/opens.ts'
import type { ResourceRow } from '../resources/resources.ts'
import { planResource } from './plan.ts'
import type { ResourceState } from './state.ts'

describe('a plan', () => {
  it('has an obstacle where a resource would have more than 100 files', () => {
    const row = { archived: null } as ResourceRow
    const stateWith = (name: string, count: number): ResourceState => ({
      row,
      ...{ prices: [], opens: OPENS_NOTHING },
      files: Array.from({ length: count }, (_, i) => {
        const own = `${name}${i}`
        return { id: own, file_name: own, sha256: own } as DownloadRow
      }),
    })
    expect(planResource(stateWith('a', 50), stateWith('b', 50)).obstacle).toBeUndefined()
    expect(planResource(stateWith('a', 51), stateWith('b', 50)).obstacle).toBe('too_many_files')
    expect(planResource(stateWith('a', 100), stateWith('a', 100)).obstacle).toBeUndefined()
  })
})
