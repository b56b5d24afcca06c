import { expect, it } from 'vitest'
import { initialsOf } from './initials.ts'

it.each([
  ['Ann Example', 'a@example.com', 'AE'],
  ['Ann Maria van Example', '', 'AE'],
  ['ann', 'x@example.com', 'A'],
  ['“Ann” (Example)', '', 'AE'],
  ['', 'zoe@example.com', 'Z'],
  ['  ', '+_ü@example.com', 'Ü'],
  ['🙂', 'bob@example.com', 'B'],
  ['', '', ''],
])('the initials of %j, %j are %j', (name, email, initials) => {
  expect(initialsOf(name, email)).toBe(initials)
})
