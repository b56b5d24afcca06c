// Loaded into a real process with `node --import`: kills it at one step, or writes all of its steps to a file. A step is a
// statement that goes to a database, or a change to a file of an installation.
import fs from 'node:fs'
import { register, syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import { basename } from 'node:path'

const { KILL_AT, KILL_TRACE } = process.env
const [, when, nth, wanted] = /^(before|after) (\d+) (.*)$/s.exec(KILL_AT ?? '') ?? []
let count = 0

/** Runs a step. */
export function step(text, run) {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, 120)
  if (KILL_TRACE !== undefined) append(KILL_TRACE, `${line}\n`)
  if (line !== wanted || ++count !== Number(nth)) return run()
  if (when === 'before') process.kill(process.pid, 'SIGKILL')
  const result = run()
  // A message to PostgreSQL leaves with the next turn.
  if (result instanceof Socket || typeof result === 'boolean') {
    setImmediate(() => process.kill(process.pid, 'SIGKILL'))
    return result
  }
  process.kill(process.pid, 'SIGKILL')
  return result
}

const append = fs.appendFileSync

/** The program gets a driver for SQLite whose statements are steps: the methods of the original can't be replaced. */
const driver = new URL('./kill-sqlite.mjs', import.meta.url).href
const hooks = `export const resolve = async (specifier, context, next) =>
  specifier === '@photostructure/sqlite' && context.parentURL.includes('/dist/')
    ? { url: '${driver}', shortCircuit: true }
    : await next(specifier, context)`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)

/** Returns the statement of a message to PostgreSQL. */
function statementIn(message) {
  if (!Buffer.isBuffer(message)) return undefined
  const [kind] = message
  if (kind === 'Q'.charCodeAt(0)) return message.toString('utf8', 5, message.length - 1)
  if (kind !== 'P'.charCodeAt(0)) return undefined
  const start = message.indexOf(0, 5) + 1
  return message.toString('utf8', start, message.indexOf(0, start))
}

const { write } = Socket.prototype
Socket.prototype.write = function (...args) {
  const statement = statementIn(args[0])
  const run = () => write.apply(this, args)
  return statement ? step(statement, run) : run()
}

const OURS = /^(control|production|sandbox|restore-under-way|master|installation)[.-]/
for (const name of ['renameSync', 'rmSync', 'writeFileSync', 'openSync']) {
  const own = fs[name]
  fs[name] = (...args) => {
    const file = basename(String(args[0]))
    const isRead = name === 'openSync' && !/[wa]/.test(String(args[1] ?? 'r'))
    return OURS.test(file) && !isRead ? step(`${name} ${file}`, () => own(...args)) : own(...args)
  }
}
syncBuiltinESMExports()
