/** The lock on a part file: one download at a time, across all processes of a machine. */
import { randomBytes } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DownloadError } from '../errors.ts'

/** How often to try for a lock whose owners keep changing. */
const MAX_TRIES = 10

/**
 * A folder next to the part file that holds an empty file named after its owner. Renaming a folder onto another works
 * only while that is empty, so just one contender succeeds. A dead owner is removed by its own name, so another owner
 * can't be removed by mistake.
 */
export class PartLock {
  readonly #folder: string
  readonly #owner: string

  private constructor(folder: string, owner: string) {
    this.#folder = folder
    this.#owner = owner
  }

  static async take(part: string): Promise<PartLock> {
    const folder = `${part}.lock`
    const unique = randomBytes(4).toString('hex')
    const owner = `${process.pid}-${await startOf(process.pid)}-${unique}`
    const draft = `${part}-${unique}`
    await mkdir(draft)
    try {
      await writeFile(join(draft, owner), '')
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        if (await takesPlace(draft, folder)) return new PartLock(folder, owner)
        await clearOfDead(folder)
      }
      throw inProgress(folder)
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      throw error
    }
  }

  /** False if another process took the lock over because it could not see that this one is alive. */
  async isHeld(): Promise<boolean> {
    return await access(join(this.#folder, this.#owner)).then(
      () => true,
      () => false,
    )
  }

  async require(): Promise<void> {
    if (!(await this.isHeld())) throw inProgress(this.#folder)
  }

  async release(): Promise<void> {
    await rm(join(this.#folder, this.#owner), { force: true })
    await removeEmpty(this.#folder)
  }
}

/** Error codes for a folder that exists. The last two come from systems on which even an empty folder is not
 * replaced. */
const TAKEN = ['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES']

async function takesPlace(draft: string, folder: string): Promise<boolean> {
  try {
    await rename(draft, folder)
    return true
  } catch (error) {
    if (TAKEN.includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

async function clearOfDead(folder: string): Promise<void> {
  for (const owner of await namesIn(folder)) {
    if (!(await isGone(owner))) throw inProgress(folder)
    await rm(join(folder, owner), { force: true })
  }
  await removeEmpty(folder)
}

const namesIn = (folder: string) =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })

/** Fails if a new owner is in the folder, which then keeps it. */
const removeEmpty = (folder: string) => rmdir(folder).catch(() => {})

async function isGone(owner: string): Promise<boolean> {
  const [, pid, start] = /^(\d+)-(\d*)-[0-9a-f]{8}$/.exec(owner) ?? []
  // An unknown name, which is not ours to remove.
  if (pid === undefined) return false
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
  return (await startOf(Number(pid))) !== start
}

/** The start time of a process in system ticks, because process ids are reused. Empty for a dead process, and where
 * the system does not provide it. */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name of the process comes first, in parentheses, and may contain any characters.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? '' : (fields[19] ?? '')
}

const inProgress = (folder: string) =>
  new DownloadError(
    'in_progress',
    `Another download has the same path. If there is none, remove ${folder}.`,
  )
