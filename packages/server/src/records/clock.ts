import { Type } from 'typebox'
import { declareRecord } from './declare.ts'

export const Clock = declareRecord('Clock', {
  time: Type.Integer({ description: 'What time it is in the sandbox, in seconds.' }),
})
