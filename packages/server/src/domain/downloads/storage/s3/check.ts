import { formatTime } from '../../../../format-time.ts'
import { newId } from '../../../../ids.ts'
import {
  MissingFile,
  type RedirectRequest,
  type StoredFile,
  type StoreRemark,
  StoreUnavailable,
} from '../storage.ts'
import { inTime, type S3Location } from './client.ts'
import { openObject } from './read.ts'
import { discardUploads, removeObject, uploadObject } from './write.ts'

const PROBE = Buffer.from('Gatehouse was here to see whether it can write.\n')

/** How far this machine's clock may be from the storage server's, in seconds. */
const MAX_CLOCK_DIFFERENCE = 30

type Sign = (request: RedirectRequest) => Promise<string>

/** Runs every storage operation once with a small file, and removes it again. `sign` makes addresses for readers, if they
 * are redirected. */
export async function checkS3Location(
  location: S3Location,
  sign: Sign | undefined,
): Promise<StoreRemark[]> {
  const id = `check${newId()}`
  const taken = await uploadObject(
    location,
    id,
    (async function* () {
      yield PROBE
    })(),
  )
  const file = { id, ...taken }
  let canList: boolean
  try {
    await requireSame(location, file)
    if (sign) await requireSigned(location, file, sign)
    canList = await discardUploads(location, id)
  } catch (error) {
    await removeObject(location, id).catch(() => {})
    throw error
  }
  await removeObject(location, id)
  await requireGone(location, file)
  return [...(canList ? [] : [CANT_LIST]), ...remarkOnClock(location)]
}

const CANT_LIST: StoreRemark = {
  status: 'warning',
  message: "S3: this server can't list unfinished uploads",
  todo: 'set a lifecycle rule for the bucket that aborts unfinished uploads after a few days; those of a crash stay otherwise',
}

function remarkOnClock({ clock }: S3Location): StoreRemark[] {
  const theirs = clock.now()
  const [here, there] = [Date.now(), theirs ?? Date.now()]
  const difference = Math.round(Math.abs(there - here) / 1000)
  if (difference <= MAX_CLOCK_DIFFERENCE) return []
  const message = `this machine's clock differs from the storage server's by ${difference} s`
  const times = `${timeOf(here)} here, ${timeOf(there)} there`
  const todo = "correct this machine's clock; if it is right, correct that of the storage server"
  return [{ status: 'failed', message: `S3: ${message} (${times})`, todo }]
}

const timeOf = (ms: number) => formatTime(Math.floor(ms / 1000))

/** Fetches the file as a reader does who is redirected. */
async function requireSigned({ limits }: S3Location, file: StoredFile, sign: Sign): Promise<void> {
  const contentHeaders = { disposition: 'attachment; filename="check"', type: 'text/plain' }
  const address = await sign({ file, method: 'GET', contentHeaders, life: 60 })
  // The address is secret, and some errors repeat it.
  const answer = await inTime(limits, async (signal) => {
    const response = await fetch(address, { signal, redirect: 'manual' })
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }).catch(() => undefined)
  if (answer?.bytes.equals(PROBE)) return
  const status = answer ? `the server answers with ${answer.status}` : 'the server does not answer'
  throw new StoreUnavailable(`S3: a signed address does not lead readers to the file: ${status}`)
}

async function requireSame(location: S3Location, file: StoredFile): Promise<void> {
  const pieces: Uint8Array[] = []
  const span = { first: 0, last: file.size - 1 }
  const opened = await openObject(location, file, span)
  await opened
    .send(span, async (bytes) => pieces.push(Buffer.from(bytes)))
    .finally(() => opened.close())
  if (!Buffer.concat(pieces).equals(PROBE)) {
    throw new StoreUnavailable('S3: what was written is not what is read')
  }
}

/** Amazon says that an object is missing only to keys that may list the bucket; others get "access denied". */
async function requireGone(location: S3Location, file: StoredFile): Promise<void> {
  const opened = await openObject(location, file).catch((error: Error) => {
    if (error instanceof MissingFile) return undefined
    throw new StoreUnavailable(
      `S3: the server does not tell that a file is missing; allow s3:ListBucket (${error.message})`,
    )
  })
  if (!opened) return
  await opened.close()
  throw new StoreUnavailable('S3: a file is still there after it was removed')
}
