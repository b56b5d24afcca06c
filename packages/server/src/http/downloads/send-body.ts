import type { ServerResponse } from 'node:http'
import { lengthOf, type OpenFile, type Span } from '../../domain/downloads/storage/storage.ts'
import { newId } from '../../ids.ts'
import { ClientGone } from '../connection.ts'

/** A connection that accepts no data for this long is closed. A reader who paused the download can resume it. */
const STALLED_MS = 120_000

/** A response body with bytes of a file: all of them, one range, or several. */
export interface Body {
  status: 200 | 206
  /** Bytes of the whole body, including the headers of its parts. */
  length: number
  /** Response headers besides the content length. */
  headers: Record<string, string>
  parts: readonly Part[]
  /** Written after the last part. */
  tail: string
}

interface Part {
  head: string
  span: Span | undefined
}

const contentRange = ({ first, last }: Span, size: number) => `bytes ${first}-${last}/${size}`

/** `spans` is undefined for the whole file. */
export function planBody(spans: readonly Span[] | undefined, size: number, type: string): Body {
  if (spans === undefined) return wholeBody(size)
  const [only] = spans
  return spans.length === 1 && only ? onePart(only, size) : multipart(spans, size, type)
}

function wholeBody(size: number): Body {
  const span = size === 0 ? undefined : { first: 0, last: size - 1 }
  return { status: 200, length: size, headers: {}, parts: [{ head: '', span }], tail: '' }
}

function onePart(span: Span, size: number): Body {
  const headers = { 'content-range': contentRange(span, size) }
  return { status: 206, length: lengthOf(span), headers, parts: [{ head: '', span }], tail: '' }
}

function multipart(spans: readonly Span[], size: number, type: string): Body {
  const boundary = newId()
  const parts = spans.map((span): Part => {
    const range = contentRange(span, size)
    const head = `\r\n--${boundary}\r\nContent-Type: ${type}\r\nContent-Range: ${range}\r\n\r\n`
    return { head, span }
  })
  const tail = `\r\n--${boundary}--\r\n`
  const heads = parts.reduce((sum, { head }) => sum + head.length, tail.length)
  return {
    status: 206,
    length: spans.reduce((sum, span) => sum + lengthOf(span), heads),
    headers: { 'content-type': `multipart/byteranges; boundary=${boundary}` },
    parts,
    tail,
  }
}

/** The result of sending a body. */
export interface Sent {
  /** Bytes of the file that were written to the connection. */
  bytes: number
  isComplete: boolean
}

/**
 * Sends a body no faster than the client reads it; the response head must already be written. `checkAccess` is
 * called before each chunk and ends the response by throwing. Never rejects: a failure other than a disconnected
 * client is returned as `problem`.
 */
export async function sendBody(
  response: ServerResponse,
  file: OpenFile,
  body: Body,
  checkAccess: () => Promise<void>,
): Promise<Sent & { problem?: unknown }> {
  const writer = createWriter(response, () => file.cancel?.())
  let bytes = 0
  try {
    for (const { head, span } of body.parts) {
      if (head !== '') await writer.write(Buffer.from(head, 'latin1'))
      if (!span) continue
      await file.send(span, async (chunk) => {
        await checkAccess()
        await writer.write(chunk)
        bytes += chunk.length
      })
    }
    await writer.end(body.tail)
    return { bytes, isComplete: true }
  } catch (problem) {
    // Cut the connection: nobody must take half a file for a whole one.
    response.destroy()
    return writer.isGone() ? { bytes, isComplete: false } : { bytes, isComplete: false, problem }
  } finally {
    writer.release()
  }
}

/** Its writes resolve once the bytes are flushed, and reject with `ClientGone` once the client has disconnected. */
function createWriter(response: ServerResponse, onGone: () => void) {
  let isGone = response.destroyed
  let giveUp: (() => void) | undefined
  const onClose = () => {
    isGone = true
    giveUp?.()
    onGone()
  }
  response.once('close', onClose)
  response.setTimeout(STALLED_MS, () => response.destroy())

  const done = (start: (callback: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => {
      // Called on close, because Node does not always call back for data that was never sent.
      giveUp = () => reject(new ClientGone())
      if (isGone) return giveUp()
      start((error) => {
        if (!error) return resolve()
        isGone = true
        reject(new ClientGone())
      })
    })

  return {
    isGone: () => isGone,
    write: (bytes: Uint8Array) => done((callback) => response.write(bytes, callback)),
    end: (tail: string) => done((callback) => response.end(tail, 'latin1', () => callback())),
    release() {
      response.off('close', onClose)
      response.setTimeout(0)
    },
  }
}
