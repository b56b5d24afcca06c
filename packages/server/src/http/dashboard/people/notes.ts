import { type Static, Type } from 'typebox'
import type { Trx } from '../../../db/database.ts'
import type { Subject } from '../../../domain/users/change.ts'
import {
  addNote,
  changeNote,
  listNotes,
  noteText,
  removeNote,
} from '../../../domain/users/notes.ts'
import { readField } from '../../../parameters.ts'
import { type AppRequest, appRoute, SUPPORT } from '../route.ts'
import type { NoteItem } from './schemas.ts'
import { toNoteItem } from './view.ts'

/** Long enough for a text that is refused for its length with a message at the field. */
const body = Type.Object({ text: Type.String({ maxLength: 20_000 }) })

/** Applies a change to the notes of the person in the path, names the person in the audit entry, and returns all of
 * their notes. */
async function change<Q, B>(
  call: AppRequest<Q, B>,
  how: (trx: Trx, who: Subject) => Promise<unknown>,
): Promise<NoteItem[]> {
  const { env, aid, params, actor, note } = call
  const who = { aid, uid: params.uid ?? '', actor }
  note({ uid: who.uid })
  await env.database.write(async (trx) => {
    await how(trx, who)
  })
  return (await listNotes(env.database.read, aid, who.uid)).map(toNoteItem)
}

const textIn = ({ text }: Static<typeof body>) => readField('text', text, noteText)

const add = appRoute('POST /people/:uid/notes', {
  management: 'POST /users/:uid/notes',
  who: SUPPORT,
  action: 'note.add',
  body,
  handle: async (call) => {
    const text = textIn(call.body)
    return await change(call, (trx, who) => addNote(trx, who, text, call.env.clock()))
  },
})

const edit = appRoute('PATCH /people/:uid/notes/:id', {
  management: 'PATCH /users/:uid/notes/:id',
  who: SUPPORT,
  action: 'note.change',
  body,
  handle: async (call) => {
    const text = textIn(call.body)
    const id = call.params.id ?? ''
    return await change(call, (trx, who) => changeNote(trx, who, id, text, call.env.clock()))
  },
})

const remove = appRoute('DELETE /people/:uid/notes/:id', {
  management: 'DELETE /users/:uid/notes/:id',
  who: SUPPORT,
  action: 'note.remove',
  handle: async (call) => {
    const id = call.params.id ?? ''
    return await change(call, (trx, who) => removeNote(trx, who, id, call.env.clock()))
  },
})

export const noteRoutes = [add, edit, remove]
