import { Type } from 'typebox'
import { declareRecord } from './declare.ts'

export const ErrorResponse = declareRecord('Error', {
  error: Type.Object(
    {
      message: Type.String({ description: 'What is wrong, for people.' }),
      code: Type.String({ description: 'What is wrong, for programs.' }),
      parameter: Type.Optional(
        Type.String({
          description: 'The parameter that is wrong; left out if the error is not about one.',
        }),
      ),
      request_id: Type.String({ description: 'Quote it when you ask for help.' }),
    },
    { description: 'What is wrong.' },
  ),
})
