import { type Static, Type } from 'typebox'
import type { Trx } from '../../../db/database.ts'
import type { Seconds } from '../../../db/tables.ts'
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
const body = Type.Object({
  text: Type.String({
    maxLength: 20_000,
    description: 'The text of the note: plain text with line breaks.',
  }),
})

/** Applies a change to the notes of the person in the path, names the person in the audit entry, and returns all of
 * their notes. */
async function change<Input extends string[]>(
  { env, aid, params, actor, note }: AppRequest,
  how: (trx: Trx, who: Subject, ...input: [...Input, now: Seconds]) => Promise<unknown>,
  ...input: Input
): Promise<NoteItem[]> {
  const who = { aid, uid: params.uid ?? '', actor }
  note({ uid: who.uid })
  await env.database.write((trx) => how(trx, who, ...input, env.clock()))
  return (await listNotes(env.database.read, aid, who.uid)).map(toNoteItem)
}

const textIn = ({ text }: Static<typeof body>) => readField('text', text, noteText)
const idIn = ({ id = '' }: AppRequest['params']) => id

const add = appRoute('POST /people/:uid/notes', {
  management: 'POST /users/:uid/notes',
  allowed: SUPPORT,
  action: 'note.add',
  body,
  handle: async (call) => await change(call, addNote, textIn(call.body)),
})

const edit = appRoute('PATCH /people/:uid/notes/:id', {
  management: 'PATCH /users/:uid/notes/:id',
  allowed: SUPPORT,
  action: 'note.change',
  body,
  handle: async (call) => await change(call, changeNote, idIn(call.params), textIn(call.body)),
})

const remove = appRoute('DELETE /people/:uid/notes/:id', {
  management: 'DELETE /users/:uid/notes/:id',
  allowed: SUPPORT,
  action: 'note.remove',
  handle: async (call) => await change(call, removeNote, idIn(call.params)),
})

export const noteRoutes = [add, edit, remove]
