import { type Field, integer, text, title } from '../../fields.ts'
import { problemWithReturnPrefix } from '../../signing/return-urls.ts'

const MAX_LINES = 10

/** A postal address of several lines. */
export const postalAddressField: Field<string> = {
  schema: text(255 * MAX_LINES, 'A postal address.').schema,
  read(value) {
    const lines = value.split(/\r?\n/).map((line) => line.trim())
    if (lines.length > MAX_LINES) return `must have at most ${MAX_LINES} lines`
    for (const line of lines) {
      const result = title.read(line)
      if (typeof result === 'string') return `each line ${result}`
    }
    return { value: lines.join('\n') }
  },
}

/** A URL to which buyers may be sent back, with everything below it. */
export const returnPrefixField: Field<string> = {
  schema: text(2_000, 'An allowed return URL.').schema,
  read: (value) => problemWithReturnPrefix(value) ?? { value },
}

const MAX_GRACE_DAYS = 60

/** How long access stays open while a renewal is unpaid. */
export const graceDays = integer(0, MAX_GRACE_DAYS, 'Days of access while a renewal is unpaid.')
