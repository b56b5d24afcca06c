import { describe, expect, it } from 'vitest'
import { Gatehouse, GatehouseError, type GatehouseOptions, OptionsError } from './index.ts'

const complete = {
  baseUrl: 'https://access.example.com',
  aid: 'Client0001',
  privateKey: 'k'.repeat(40),
}

function problemsWith(options: unknown): readonly string[] {
  try {
    new Gatehouse(options as GatehouseOptions)
  } catch (error) {
    if (error instanceof OptionsError) return error.problems
    throw error
  }
  return []
}

describe('the options of the client', () => {
  it('are complete with three of them', () => {
    expect(problemsWith(complete)).toEqual([])
  })

  it.each(['baseUrl', 'aid', 'privateKey'])('%s is named if it is missing', (name) => {
    for (const value of [undefined, null, '']) {
      expect(problemsWith({ ...complete, [name]: value })).toEqual([`${name} is missing`])
    }
  })

  it('are named all at once', () => {
    const all = ['baseUrl is missing', 'aid is missing', 'privateKey is missing']
    for (const nothing of [undefined, null, {}]) expect(problemsWith(nothing)).toEqual(all)
    expect(() => new Gatehouse({} as GatehouseOptions)).toThrow(
      'baseUrl is missing; aid is missing; privateKey is missing',
    )
    expect(() => new Gatehouse({} as GatehouseOptions)).toThrow(GatehouseError)
  })

  it.each([
    [
      'baseUrl',
      'access.example.com',
      'baseUrl must begin with https:// or http://, and have no query',
    ],
    ['baseUrl', 'https://', 'baseUrl must begin with https:// or http://, and have no query'],
    [
      'baseUrl',
      'https://x.example/?a',
      'baseUrl must begin with https:// or http://, and have no query',
    ],
    [
      'baseUrl',
      'https://x.example/#a',
      'baseUrl must begin with https:// or http://, and have no query',
    ],
    ['baseUrl', 'https://x.example/ a', 'baseUrl has white space in it'],
    ['aid', 7, 'aid must be a string'],
    ['privateKey', `${'k'.repeat(40)}\n`, 'privateKey has white space in it'],
    ['timeout', 0, 'timeout must be a number of milliseconds above 0'],
    ['timeout', '5', 'timeout must be a number of milliseconds above 0'],
    ['timeout', Number.NaN, 'timeout must be a number of milliseconds above 0'],
    ['fetch', null, 'fetch is missing: this runtime has none'],
  ])('a wrong %s (%j) is named', (name, value, problem) => {
    expect(problemsWith({ ...complete, [name]: value })).toEqual([problem])
  })

  it('are never quoted', () => {
    const secret = 'so secret '
    expect(problemsWith({ ...complete, privateKey: secret }).join()).not.toContain('so secret')
  })
})
