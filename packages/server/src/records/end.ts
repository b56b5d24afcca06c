import { FOREVER, type Seconds } from '../db/tables.ts'

/** Returns null for what has no end date. */
export const endOrNull = (ends: Seconds): Seconds | null => (ends === FOREVER ? null : ends)
