import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '../errors.ts'
import { describeFileError } from '../permissions.ts'

/** Created for its owner only: the data folder holds people's email addresses and the master key. */
export function requireDataFolder(folder: string): void {
  if (!existsSync(folder)) inFolder(folder, "can't be created", () => makeFolder(folder))
  inFolder(folder, "can't be used", () => {
    readdirSync(folder)
    accessSync(folder, constants.W_OK)
  })
}

/** Creates parent folders too. The `recursive` option of `mkdirSync` never returns in places like /proc. */
function makeFolder(folder: string): void {
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process that is starting at the same time has created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

export function inFolder<R>(folder: string, failure: string, work: () => R): R {
  try {
    return work()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOTDIR' ? 'it is a file' : describeFileError(error, folder)
    throw new OperatorError(`GATEHOUSE_DATA: the folder ${folder} ${failure}: ${why}`)
  }
}
