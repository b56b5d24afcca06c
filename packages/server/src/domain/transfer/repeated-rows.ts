import { fail } from '../../errors.ts'
import { emailKey } from '../users/email.ts'
import type { ImportRow } from './columns.ts'

/** Remembers the rows of a file, so that each person and resource is granted once. Two rows that disagree would undo each other
 * in every import of the same file. */
export class RepeatedRows {
  readonly #grants = new Map<string, { line: number; ends: number }>()
  readonly #named = new Set<string>()
  readonly #refs = new Map<string, { line: number; key: string }>()

  /** Returns the grant, or `repeated` if an earlier row asks for the same. Throws if they disagree. The first row of a person
   * decides the name. */
  add(line: number, input: ImportRow): ImportRow | 'repeated' {
    const key = emailKey(input.email)
    this.#requireOwnRef(line, key, input.userRef)
    const granted = `${key}\n${input.rid}`
    const earlier = this.#grants.get(granted)
    if (earlier && earlier.ends !== input.ends) {
      throw fail(
        'invalid_parameter',
        `Row ${earlier.line} has the same person and resource with another end.`,
      )
    }
    if (earlier) return 'repeated'
    this.#grants.set(granted, { line, ends: input.ends })
    if (this.#named.has(key)) return { ...input, firstName: undefined, lastName: undefined }
    this.#named.add(key)
    return input
  }

  #requireOwnRef(line: number, key: string, ref: string | undefined): void {
    if (ref === undefined) return
    const earlier = this.#refs.get(ref)
    if (!earlier) this.#refs.set(ref, { line, key })
    else if (earlier.key !== key) {
      throw fail(
        'invalid_parameter',
        `Row ${earlier.line} has the same site user ID with another email address.`,
      )
    }
  }
}
