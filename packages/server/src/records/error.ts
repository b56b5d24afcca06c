import { Type } from 'typebox'
import { declareRecord } from './declare.ts'

export const ErrorResponse = declareRecord('Error', {
  error: Type.Object(
    {
      message: Type.String({
        description: 'The problem and what to do about it, as a sentence for people.',
      }),
      code: Type.String({ description: 'The error code, for programs.' }),
      parameter: Type.Optional(
        Type.String({
          description: 'Name of the wrong parameter; left out if the error is not about one.',
        }),
      ),
      request_id: Type.String({
        description: 'ID of the request, to quote when you ask for help.',
      }),
    },
    { description: 'Why the request failed.' },
  ),
})
