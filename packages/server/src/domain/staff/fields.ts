import { nameText } from '../../fields.ts'
import { readField } from '../../parameters.ts'
import { email } from '../users/email.ts'

const staffName = nameText(100, 'The name of a team member.')

export const requireEmail = (typed: string) => readField('email', typed.trim(), email)
export const requireName = (typed: string) => readField('name', typed.trim(), staffName)
