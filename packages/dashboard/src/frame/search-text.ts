/** The longest text that the service searches for, in characters. */
export const MAX_SEARCH = 255

/** Whether somebody has typed a complete email address. */
export const isWholeAddress = (text: string): boolean =>
  text.length <= MAX_SEARCH && /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(text)
