import { Type } from 'typebox'
import { problemWithEmail } from '../../email-address.ts'
import { CONTROL, DIRECTION_MARK, type Field, HALF_PAIR } from '../../fields.ts'

/** A display name with the address in angle brackets. */
const NAMED = /^([^<>"]{0,200})<([^<>]{1,300})>$/

/** The sender of emails: one plain address, with or without a display name; nothing that could inject a header. */
export const sender: Field<string> = {
  schema: Type.String({ description: 'The sender of emails.' }),
  read(value) {
    const [, name = '', address = value] = NAMED.exec(value) ?? []
    const isPlain = ![CONTROL, HALF_PAIR, DIRECTION_MARK].some((bad) => bad.test(name))
    return isPlain && problemWithEmail(address) === undefined
      ? { value }
      : 'must be an address like Example <access@example.com>'
  },
}
