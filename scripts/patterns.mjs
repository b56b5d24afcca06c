// Checks how long every regular expression of the packages can take: none may need more time than in proportion to the
// length of the text, except for those in `patterns/allowed.mjs`, each with a reason. With --write it remembers those that
// were found safe, so that only new ones are tried, which takes up to some seconds for each.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { allowed } from './patterns/allowed.mjs'
import { findPatterns } from './patterns/find.mjs'

// The part of the checker that is plain JavaScript: it needs no Java, and finds the same on every machine.
process.env.RECHECK_BACKEND = 'pure'
const { checkSync } = await import('recheck')

const LIST = fileURLToPath(new URL('patterns/safe.json', import.meta.url))
const TIMEOUT_MS = 120_000

const nameOf = ({ source, flags }) =>
  source === undefined || flags === undefined ? undefined : `/${source}/${flags}`
const isAllowed = ({ path }, name) =>
  allowed.some((one) => one.path === path && one.pattern === name)

/** Returns what is wrong with a pattern, or undefined. */
function problemWith({ source, flags }) {
  const { status, complexity } = checkSync(source, flags, { timeout: TIMEOUT_MS })
  return status === 'safe' ? undefined : (complexity?.summary ?? status)
}

const known = new Set(JSON.parse(readFileSync(LIST, 'utf8')))
const safe = new Set()
const problems = []
const found = findPatterns()
for (const one of found) {
  const name = nameOf(one)
  if (isAllowed(one, name)) continue
  if (name === undefined) {
    problems.push(`${one.place}: is built from more than constants of its file`)
    continue
  }
  const problem = known.has(name) || safe.has(name) ? undefined : problemWith(one)
  if (problem === undefined) safe.add(name)
  else problems.push(`${one.place}: ${problem}: ${name}`)
}
for (const { path, pattern } of allowed) {
  const isThere = found.some((one) => one.path === path && nameOf(one) === pattern)
  if (!isThere) problems.push(`scripts/patterns/allowed.mjs: ${path} has no ${pattern} anymore`)
}

if (process.argv.includes('--write')) {
  writeFileSync(LIST, `${JSON.stringify([...safe].sort(), null, 2)}\n`)
  console.log(`remembered ${safe.size} patterns`)
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) {
  console.error('Write it as a loop, or limit its text and say so in scripts/patterns/allowed.mjs.')
  process.exitCode = 1
}
