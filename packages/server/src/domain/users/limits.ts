/** The longest note about a person, in characters. */
export const MAX_NOTE = 2_000
