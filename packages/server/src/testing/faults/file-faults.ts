import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { FaultPlan } from './fault-plan.ts'

type Callable = (...args: never[]) => unknown
type Functions = Record<string, Callable>

/** The functions of `node:fs` by which the service changes files, or reads those that readers download. */
const SYNC = ['chmodSync', 'fsyncSync', 'openSync', 'renameSync', 'rmSync', 'writeFileSync']
const ASYNC = ['link', 'mkdir', 'open', 'realpath', 'rename', 'rm']
const HANDLE = ['appendFile', 'sync', 'write']

/** Our temporary folders begin like this; the test runner reads other files meanwhile. */
const OURS = /\/gatehouse-/

function failure(name: string): Error {
  const code = /^(append|write|mkdir|link)/.test(name) ? 'ENOSPC' : 'EIO'
  const text = code === 'EIO' ? 'i/o error' : 'no space left on device'
  return Object.assign(new Error(`${code}: ${text}, ${name}`), { code, syscall: name })
}

/** Lets calls that concern files fail; returns a function that ends that. */
export async function injectFileFaults(plan: FaultPlan): Promise<() => void> {
  const undo: (() => void)[] = []
  function replace(
    target: Functions,
    name: string,
    isAsync: boolean,
    isOurs: (arg: unknown) => boolean,
  ) {
    const own = target[name] as Callable
    target[name] = function (this: unknown, ...args: never[]) {
      const mode = isOurs(args[0]) ? plan.next('file', name) : undefined
      if (mode === undefined) return own.apply(this, args)
      if (isAsync) return Promise.reject(failure(name))
      throw failure(name)
    }
    undo.push(() => {
      target[name] = own
    })
  }
  const isPath = (path: unknown) => typeof path !== 'string' || OURS.test(path)
  for (const name of SYNC) replace(fs as unknown as Functions, name, false, isPath)
  for (const name of ASYNC) replace(fs.promises as unknown as Functions, name, true, isPath)
  const handle = await fs.promises.open('/dev/null')
  const prototype = Object.getPrototypeOf(handle) as Functions
  await handle.close()
  for (const name of HANDLE) replace(prototype, name, true, () => true)
  syncBuiltinESMExports()
  return () => {
    for (const one of undo) one()
    syncBuiltinESMExports()
  }
}
