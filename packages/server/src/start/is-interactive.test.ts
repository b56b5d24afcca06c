import { expect, it } from 'vitest'
import { isInteractive } from './is-interactive.ts'

const TERMINAL = { isTTY: true }
const SHELL = { pid: 4242, ppid: 4000, env: {}, stdin: TERMINAL, stdout: TERMINAL }

it('secrets are printed only where a person can type, and nothing keeps a log', () => {
  expect(isInteractive(SHELL)).toBe(true)
  expect(isInteractive({ ...SHELL, stdout: {} })).toBe(false)
  // docker run -t, without -i
  expect(isInteractive({ ...SHELL, stdin: {} })).toBe(false)
  // docker run -it: the process, and a worker of it
  expect(isInteractive({ ...SHELL, pid: 1, ppid: 0 })).toBe(false)
  expect(isInteractive({ ...SHELL, pid: 7, ppid: 1 })).toBe(false)
  expect(isInteractive({ ...SHELL, env: { INVOCATION_ID: 'a1b2' } })).toBe(false)
})
