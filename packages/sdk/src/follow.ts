import { ApiError, OutdatedServiceError } from './errors.ts'
import type { Event, EventPage, EventSearch } from './types.ts'

/** How to follow events. Each function may return a promise, which is awaited. */
export interface FollowOptions {
  /** Returns the cursor that was saved last. If there is none, the oldest event that is kept comes first; `'latest'`
   * begins with what happens from now on. */
  load(): Promise<string | undefined> | string | undefined
  /** Stores a cursor. It is called once everything before it was handled. */
  save(cursor: string): Promise<unknown> | unknown
  /** Handles one event. If it throws, the same event comes again after a pause: none is ever skipped. If the process ends
   * before the cursor is saved, the event comes again, too. */
  handle(event: Event): Promise<unknown> | unknown
  /** Returns the `sequence` of the last event that you have stored about a reader, if there is one. Events whose number is
   * not higher are then left out: they come again after a restore, or when a process has ended. */
  lastSequence?(uid: string): Promise<number | null | undefined> | number | null | undefined
  /** Only these types, with commas between them; `user.*` is a whole group. */
  types?: string
  /** Ends the following once the event that is being handled is done, and its cursor is saved. */
  signal?: AbortSignal
  /** Is told of each failure, before the pause after it. */
  onError?(error: unknown): void
  /** Milliseconds between two looks for new events; 2,000 unless set. */
  interval?: number
}

interface EventSource {
  searchEvents(search: EventSearch): Promise<EventPage>
}

const DEFAULT_INTERVAL_MS = 2_000
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 60_000

/** Handles events one by one until the signal is aborted. */
export async function followEvents(source: EventSource, options: FollowOptions): Promise<void> {
  const { signal, interval = DEFAULT_INTERVAL_MS } = options
  let isLoaded = false
  let cursor: string | undefined
  const moveTo = async (next: string) => {
    if (next !== cursor) await options.save(next)
    cursor = next
  }
  for (let failures = 0; !signal?.aborted; ) {
    try {
      if (!isLoaded) cursor = (await options.load()) ?? undefined
      isLoaded = true
      const page = await source.searchEvents(questionOf(options, cursor))
      const isWhole = await handlePage(page, options, moveTo, () => {
        failures = 0
      })
      failures = 0
      if (isWhole && !page.more) await pause(interval, signal)
    } catch (error) {
      if (isRefusal(error)) throw error
      options.onError?.(error)
      await pause(pauseAfter(++failures, error), signal)
    }
  }
}

const questionOf = ({ types }: FollowOptions, after: string | undefined): EventSearch => ({
  ...(types !== undefined && { types }),
  ...(after !== undefined && { after }),
})

/** Returns whether everything was handled; otherwise the signal was aborted in between. */
async function handlePage(
  page: EventPage,
  options: FollowOptions,
  moveTo: (cursor: string) => Promise<void>,
  onHandled: () => void,
): Promise<boolean> {
  for (const [i, event] of page.data.entries()) {
    if (options.signal?.aborted) return false
    const next = cursorAfter(page, i)
    if (await isNew(event, options)) await options.handle(event)
    await moveTo(next)
    onHandled()
  }
  // Past events of other types, which are not in the page.
  await moveTo(page.cursor)
  return true
}

/** Returns the cursor after an event of a page. */
export function cursorAfter({ cursors }: EventPage, index: number): string {
  // Services before 0.3 answer without `cursors`.
  const cursor = (cursors as readonly string[] | undefined)?.[index]
  if (cursor === undefined) throw new OutdatedServiceError()
  return cursor
}

async function isNew({ sequence, data }: Event, { lastSequence }: FollowOptions): Promise<boolean> {
  const uid = 'uid' in data ? data.uid : undefined
  if (!lastSequence || sequence === undefined || typeof uid !== 'string') return true
  return sequence > ((await lastSequence(uid)) ?? 0)
}

/** Whether it would fail each time: a wrong key, type or cursor, or an old service. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError
    ? [400, 401, 402, 404].includes(error.status)
    : error instanceof OutdatedServiceError

/** Exponential backoff with jitter, and at least as long as the service asks for. */
function pauseAfter(failures: number, error: unknown): number {
  const backoff = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS)
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0
  return Math.max(asked, backoff * (0.5 + Math.random() / 2))
}

/** Waits, or until the signal is aborted. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
