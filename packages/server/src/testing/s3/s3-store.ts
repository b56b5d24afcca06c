import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { beforeEach, expect } from 'vitest'
import type { S3Limits } from '../../domain/downloads/storage/s3/client.ts'
import { createS3Store } from '../../domain/downloads/storage/s3/store.ts'
import { StoreUnavailable } from '../../domain/downloads/storage/storage.ts'
import { useFixture } from '../fixtures.ts'
import type { S3Fault } from './serve.ts'
import { addFile, inPieces, openS3Fixture } from './store-fixtures.ts'

export const MIB = 1024 * 1024
export const BYTES = randomBytes(11 * MIB)
export const KEY = 'gatehouse/production/'

/** Short timeouts and a single attempt of everything. */
export const HASTY: S3Limits = {
  connect: 400,
  answer: 400,
  silence: 300,
  resumes: 0,
  takingSilence: 400,
  readingTries: 1,
  takingTries: 1,
  partSize: 5 * MIB,
}
/** Upper bound for every failure: with many bytes in flight, silence is noticed only at the second timeout. */
const LIMIT_MS = 2 * HASTY.takingSilence + 3_000

/** Runs an S3 server with a file in it, and opens a store there for the tests of the current file. */
export function useS3Store() {
  const fixture = useFixture(
    () => openS3Fixture('redirect'),
    (opened) => opened.stop(),
  )
  const s3 = useFixture(async () => fixture.s3)
  const store = useFixture(async () => fixture.store)
  const hasty = useFixture(
    async () => createS3Store(s3.options, 'production', HASTY),
    (opened) => opened.close(),
  )
  const file = useFixture(() => addFile(store, inPieces(BYTES, MIB)))
  beforeEach(() => {
    s3.fault = () => undefined
    s3.now = Date.now
    s3.headers = {}
    s3.requests.length = 0
  })

  /** Fails every call of this action, or only the first `times`. */
  function goWrong(action: string, fault: S3Fault, times = Number.POSITIVE_INFINITY): void {
    let left = times
    s3.fault = (request) => (request.action === action && left-- > 0 ? fault : undefined)
  }

  /** Returns the message of the failure, after checking that it came in time and reveals no secret. */
  async function troubleOf(work: Promise<unknown>): Promise<string> {
    const began = performance.now()
    const error = await work.then(
      () => expect.unreachable('nothing went wrong'),
      (thrown: unknown) => thrown,
    )
    expect(performance.now() - began).toBeLessThan(LIMIT_MS)
    expect(error).toBeInstanceOf(StoreUnavailable)
    const shown = inspect(error, { depth: 9, showHidden: true })
    for (const secret of [s3.keys.accessKeyId, s3.keys.secretAccessKey, 'X-Amz', s3.url.slice(7)]) {
      expect(shown).not.toContain(secret)
    }
    return (error as Error).message
  }
  return { fixture, s3, store, hasty, file, goWrong, troubleOf }
}
