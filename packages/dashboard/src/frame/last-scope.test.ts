import type { Me } from '@gatehouse/server/dashboard-api'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAppScope } from '../app-scope.ts'
import { counterpartScope } from './last-scope.ts'

const named = (aid: string, name: string, archived = false) => ({ aid, name, archived })

function meWith(production: object[], sandbox: object[]): Me {
  const environments = [
    { name: 'production', applications: production },
    { name: 'sandbox', applications: sandbox },
  ]
  return { environments } as unknown as Me
}

const PRODUCTION = [named('p1', 'Times'), named('p2', 'Post')]

describe('the switch to another environment', () => {
  afterEach(() => vi.unstubAllGlobals())

  const keep = (kept: object) =>
    vi.stubGlobal('localStorage', { getItem: () => JSON.stringify(kept) })
  const beside = (me: Me, aid: string) =>
    counterpartScope(me, createAppScope('production', aid), 'sandbox')?.aid

  it('leads to the application of the same name, whichever was used last', () => {
    keep({ sandbox: 's1' })
    const me = meWith(PRODUCTION, [named('s1', 'Times'), named('s2', 'Post')])
    expect(beside(me, 'p1')).toBe('s1')
    expect(beside(me, 'p2')).toBe('s2')
  })

  it('leads to the application that it is paired with, whatever the names', () => {
    keep({ sandbox: 's1' })
    const paired = { ...named('s2', 'Trial'), paired_with: 'p1' }
    expect(beside(meWith(PRODUCTION, [named('s1', 'Times'), paired]), 'p1')).toBe('s2')
    const archived = { ...paired, archived: true }
    expect(beside(meWith(PRODUCTION, [named('s1', 'Times'), archived]), 'p1')).toBe('s1')
  })

  it('leads to the one used last, or else to the first in use, where none has that name', () => {
    const me = meWith(PRODUCTION, [
      ...[named('s0', 'Post', true), named('s1', 'Trial'), named('s2', 'Demo')],
    ])
    keep({})
    expect(beside(me, 'p2')).toBe('s1')
    keep({ sandbox: 's2' })
    expect(beside(me, 'p2')).toBe('s2')
  })

  it('stays where it is in the same environment, and leads nowhere where there is nothing', () => {
    keep({ production: 'p1' })
    const me = meWith([...PRODUCTION, named('p3', 'Post')], [])
    expect(counterpartScope(me, createAppScope('production', 'p3'), 'production')?.aid).toBe('p3')
    expect(beside(me, 'p1')).toBeUndefined()
    expect(counterpartScope(me, createAppScope('production', 'gone'), 'production')?.aid).toBe('p1')
  })
})
