/** Who may write to a part: one download at a time, of all the processes of a machine. */
import { randomBytes } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DownloadError } from './errors.ts'

/** If others come and go as often as that, one of them has the part. */
const MOST_TRIES = 10

/**
 * A folder beside the part, with an empty file in it that is named after its owner. A folder takes the
 * place of another only while that is empty: of all who try, one gets it. And who takes away the name of
 * an owner that is gone can't hit that of another one.
 */
export class Claim {
  readonly #folder: string
  readonly #owner: string

  private constructor(folder: string, owner: string) {
    this.#folder = folder
    this.#owner = owner
  }

  static async take(part: string): Promise<Claim> {
    const folder = `${part}.lock`
    const unique = randomBytes(4).toString('hex')
    const owner = `${process.pid}-${await startOf(process.pid)}-${unique}`
    const draft = `${part}-${unique}`
    await mkdir(draft)
    try {
      await writeFile(join(draft, owner), '')
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        if (await takesPlace(draft, folder)) return new Claim(folder, owner)
        await clearOfDead(folder)
      }
      throw inProgress(folder)
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      throw error
    }
  }

  /** Not if somebody took it away, who could not see that we are alive. */
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

/** What systems say of a place that is taken; the last two those on which an empty folder is no free
 * place either. */
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

/** Who is in it by now keeps it. */
const removeEmpty = (folder: string) => rmdir(folder).catch(() => {})

async function isGone(owner: string): Promise<boolean> {
  const [, pid, start] = /^(\d+)-(\d*)-[0-9a-f]{8}$/.exec(owner) ?? []
  // Not a name of ours: whoever put it there knows why.
  if (pid === undefined) return false
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
  return (await startOf(Number(pid))) !== start
}

/** When a process was started, in ticks of its system: its number is given to another one some day. Empty
 * for one that is dead, and where the system does not tell. */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // Before that is its name in brackets, with whatever signs.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? '' : (fields[19] ?? '')
}

const inProgress = (folder: string) =>
  new DownloadError(
    'in_progress',
    `Another download has the same path. If there is none, remove ${folder}.`,
  )
