import { Type } from 'typebox'
import { declareRecord } from './declare.ts'

export const Clock = declareRecord('Clock', {
  time: Type.Integer({ description: "The time of the sandbox's clock, in seconds since 1970." }),
})
