import { expect, it } from 'vitest'
import { nameBuild } from './version.ts'

it.each([
  ['0.3.0', '1a2b3c4d', '0.3.0'],
  ['0.3.0-dev', '1a2b3c4d', '0.3.0-dev+1a2b3c4d'],
  ['0.3.0-dev', '1a2b3c4d-dirty', '0.3.0-dev+1a2b3c4d-dirty'],
  ['0.3.0-dev', undefined, '0.3.0-dev'],
])('version %s, built from commit %s, is called %s', (version, commit, name) => {
  expect(nameBuild(version, commit)).toBe(name)
})
