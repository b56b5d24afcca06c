import { expect, it } from 'vitest'
import { authorize, curlCommand } from './curl.ts'

const AID = 'abcdefghij'
const KEY = 'k'.repeat(40)
const command = (method: string, target: string) =>
  curlCommand('https://access.example', AID, KEY, method, target)
const header = (method: string, target: string) =>
  `-H 'Authorization: ${authorize(AID, KEY, method, target)}'`

it('a signed command names the method only if curl would use another', () => {
  const target = '/r2/access?rid=news'
  const address = `'https://access.example${target}'`
  expect(command('GET', target)).toBe(`curl ${header('GET', target)} ${address}`)
  expect(command('POST', target)).toBe(`curl -X POST ${header('POST', target)} ${address}`)
})

it.each(['[', ']', '{', '}'])('a signed command lets curl expand no %s', (character) => {
  const target = `/r2/access?rid=a${character}b`
  expect(command('GET', target)).toBe(
    `curl -g ${header('GET', target)} 'https://access.example${target}'`,
  )
})

it('a signed command can be pasted whatever the target has', () => {
  const target = "/r2/access?rid=it's"
  expect(command('GET', target)).toContain(" 'https://access.example/r2/access?rid=it'\\''s'")
})
