/** Formats a time for people and programs alike: 2027-03-03T09:00:00Z. */
export function formatTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

/** Formats a time that may be unset. */
export const formatOptionalTime = (at: number | null | undefined) =>
  at === null || at === undefined ? '' : formatTime(at)
