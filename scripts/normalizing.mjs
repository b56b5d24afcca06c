// Checks that no package normalizes a text by itself: that takes time in proportion to the square of the number of combining
// marks in a row, and the check of regular expressions doesn't see it. `unicode.ts` of the server has the functions for it,
// which measure the text first.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { listSources } from './patterns/find.mjs'

const ALLOWED = [
  {
    path: 'packages/server/src/unicode.ts',
    reason: 'It measures the text first.',
  },
  {
    path: 'packages/dashboard/src/pages/resources/resource-fields.ts',
    reason: 'Whoever types the name waits in their own tab.',
  },
]

const NORMALIZES = /\.normalize\(/

const root = fileURLToPath(new URL('..', import.meta.url))
const found = listSources().filter((path) => NORMALIZES.test(readFileSync(root + path, 'utf8')))
const allowed = ALLOWED.map(({ path }) => path)
const problems = [
  ...found
    .filter((path) => !allowed.includes(path))
    .map((path) => `${path}: use normalizeText or foldCase of packages/server/src/unicode.ts`),
  ...allowed
    .filter((path) => !found.includes(path))
    .map((path) => `scripts/normalizing.mjs: ${path} normalizes nothing anymore`),
]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
