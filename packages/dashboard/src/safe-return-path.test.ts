import { describe, expect, it } from 'vitest'
import { safeReturnPath } from './safe-return-path.ts'

describe('the way back after signing in', () => {
  it.each(['/', '/team', '/sandbox/a1B2c3D4e5/access?q=ann%40example.com&page=2'])(
    'leads to a path of the app: %s',
    (path) => expect(safeReturnPath(path)).toBe(path),
  )

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    '\t//evil.example',
    '/\t/evil.example',
    '\\\\evil.example',
    'evil.example',
    '/..//evil.example',
    '/../../evil',
    '/team/%2E%2e/evil',
    '/.',
    '',
  ])('leads nowhere else: %j', (path) => expect(safeReturnPath(path)).toBe('/'))

  it('does not lead back to the sign-in page', () =>
    expect(safeReturnPath('/sign-in?back=/')).toBe('/'))
  it('leads to the start without a path', () => expect(safeReturnPath(undefined)).toBe('/'))
})
