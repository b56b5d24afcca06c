import { readFileSync } from 'node:fs'

/* Reads the table of personal data in docs/run/personal-data.md. */

/** Reads a file of the repository. */
export const fileAt = (path: string) =>
  readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8')

const [, section = ''] = fileAt('docs/run/personal-data.md').split(
  '## What is stored about people\n',
)
const [list = ''] = section.split(/^## /m, 1)

export const LEVELS = ['secret', 'personal', 'pseudonymous', 'public']
export const COLUMNS = [
  'data',
  'stored in',
  'level',
  'encrypted at rest',
  'in logs',
  'kept',
  'who sees it',
]

const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
const namesIn = (text: string) => [...text.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name)

/** The rows of the second table, the one of the data. */
const rows = list
  .split('\n')
  .filter((line) => line.startsWith('|') && cellsOf(line).length === COLUMNS.length)
  .map(cellsOf)
const [head = [], , ...body] = rows

export { body, head }

/** The tables that the page has a row for. */
export const withPeople = body.flatMap(([, stored = '']) => namesIn(stored))
const [, listedWithout = ''] = /nothing about people: ([^.]*)\./.exec(list) ?? []
/** The tables that it says have nothing about people. */
export const withoutPeople = namesIn(listedWithout)

/** The tables in which something personal is, as the page says. */
export const withPersonal = body
  .filter(([, , level = '']) => level.startsWith('personal'))
  .flatMap(([, stored = '']) => namesIn(stored))
