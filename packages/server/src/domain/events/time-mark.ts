import type { Millis } from '../../db/tables.ts'
import { toNumber, toText } from '../../ids.ts'

/** The characters at the end of an event's id, which its cursor has too. */
export const MARK_LENGTH = 6

/** Tenths of a second fit into six characters until the year 2150. */
const UNIT_MS: Millis = 100

/** Writes the time of an event as the end of its id. So a cursor tells when its event was written, also to a database that
 * doesn't have the event. */
export const writeTimeMark = (time: Millis): string =>
  toText(Math.floor(time / UNIT_MS), MARK_LENGTH)

export const readTimeMark = (mark: string): Millis => toNumber(mark) * UNIT_MS
