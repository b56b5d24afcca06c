import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { definitions } from './figures.ts'

const guide = readFileSync(new URL('../../../../docs/run/figures.md', import.meta.url), 'utf8')

it.each(Object.entries(definitions))('the guide defines %s as the page does', (_, definition) => {
  expect(guide).toContain(`| ${definition} |`)
})
