import type { Failure } from '../errors.ts'

export const errorBodyOf = (failure: Failure, requestId: string) =>
  JSON.stringify({
    error: { ...errorFieldsOf(failure), request_id: requestId },
  })

/** `parameter` is there only if the failure is about one. */
export const errorFieldsOf = ({ message, code, parameter }: Failure) => ({
  message,
  code,
  ...(parameter === undefined ? {} : { parameter }),
})
