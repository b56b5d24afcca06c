import { ApiError, fieldError } from '../../api.ts'
import { texts } from '../../texts.ts'

/** Error texts for a reference that can't be assigned. */
export const REFERENCE_ERRORS = {
  user_ref_taken: texts.people.refTaken,
  user_ref_is_uid: texts.people.refTaken,
  user_ref_erased: texts.people.refErased,
} as const

/** Turns an error with one of these codes into an error at a field, with the given text. */
export async function withFieldError<T>(
  work: Promise<T>,
  field: string,
  words: Readonly<Record<string, string>>,
): Promise<T> {
  try {
    return await work
  } catch (error) {
    const text = error instanceof ApiError ? words[error.code] : undefined
    if (text === undefined) throw error
    throw fieldError((error as ApiError).status, field, text)
  }
}
