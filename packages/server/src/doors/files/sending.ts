import type { ServerResponse } from 'node:http'
import { lengthOf, type OpenFile, type Span } from '../../downloads/storage.ts'
import { newId } from '../../ids.ts'
import { ReaderGone } from '../connection.ts'

/** A reader who makes no room for more for so long is not there any more, or hardly. A download that is
 * paused is resumed later. */
const STALLED_MS = 120_000

/** An answer with bytes of a file: all of them, one part, or several. */
export interface Body {
  status: 200 | 206
  /** Of the whole body, with the heads of its parts. */
  length: number
  /** What its head says beside that. */
  headers: Record<string, string>
  parts: readonly Part[]
  /** Behind the last part. */
  tail: string
}

interface Part {
  head: string
  span: Span | undefined
}

const contentRange = ({ first, last }: Span, size: number) => `bytes ${first}-${last}/${size}`

/** `spans` undefined means the whole file. */
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

/** What became of an answer. */
export interface Sent {
  /** Bytes of the file that were handed over. */
  bytes: number
  isComplete: boolean
}

/**
 * Sends a body, never faster than it is taken; its head was written before. `mayGoOn` is asked before
 * each piece, and ends the answer by throwing. Never rejects for a reader who goes away: that is told.
 */
export async function sendBody(
  response: ServerResponse,
  file: OpenFile,
  body: Body,
  mayGoOn: () => Promise<void>,
): Promise<Sent & { problem?: unknown }> {
  const writer = createWriter(response, () => file.abandon?.())
  let bytes = 0
  try {
    for (const { head, span } of body.parts) {
      if (head !== '') await writer.write(Buffer.from(head, 'latin1'))
      if (!span) continue
      await file.send(span, async (chunk) => {
        await mayGoOn()
        await writer.write(chunk)
        bytes += chunk.length
      })
    }
    await writer.end(body.tail)
    return { bytes, isComplete: true }
  } catch (problem) {
    // Cut off: nobody must take half a file for a whole one.
    response.destroy()
    return writer.isGone() ? { bytes, isComplete: false } : { bytes, isComplete: false, problem }
  } finally {
    writer.release()
  }
}

/** Writes that are over when the bytes are on their way, or the reader is not there any more. */
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
      // Also for what was never sent: a close does not always call back.
      giveUp = () => reject(new ReaderGone())
      if (isGone) return giveUp()
      start((error) => {
        if (!error) return resolve()
        isGone = true
        reject(new ReaderGone())
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
