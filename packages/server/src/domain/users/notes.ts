import { Type } from 'typebox'
import type { Db, Trx } from '../../db/database.ts'
import { deleteRows, findRow, updateRows } from '../../db/queries/rows.ts'
import type { NoteTable, Seconds } from '../../db/tables.ts'
import { requireFound } from '../../errors.ts'
import { type Field, message, problems } from '../../fields.ts'
import { newId } from '../../ids.ts'
import type { HistoryAction } from '../history/actions.ts'
import { recordHistory } from '../history/history.ts'
import type { Subject } from './change.ts'
import { MAX_NOTE } from './limits.ts'
import { lockUser } from './users.ts'

/** The text of a note: plain, with line breaks. Browsers send those as CR LF or LF; they are stored as LF. */
export const noteText: Field<string> = {
  schema: Type.String({ description: 'The text of a note.' }),
  read(given) {
    const value = given.replace(/\r\n?/g, '\n').trim()
    if (value === '') return problems.empty
    const result = message.read(value)
    if (typeof result === 'string') return result
    return [...value].length > MAX_NOTE ? problems.tooLong(MAX_NOTE) : { value }
  },
}

/** Lists the notes about a user, newest first. */
export async function listNotes(db: Db, aid: string, uid: string): Promise<NoteTable[]> {
  return await db
    .selectFrom('notes')
    .selectAll()
    .where((eb) => eb.and({ aid, uid }))
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Within this time, the same text by the same member is the note that is there: its answer was lost, or a button was
 * pressed twice. */
const SAME_NOTE: Seconds = 600

/** Adds a note about a user. */
export async function addNote(
  trx: Trx,
  who: Subject,
  text: string,
  now: Seconds,
): Promise<NoteTable> {
  // Locked, because an erasure or a merge in the meantime must not miss the note.
  await lockUser(trx, who)
  const { aid, uid, actor } = who
  const same = await trx
    .selectFrom('notes')
    .selectAll()
    .where((eb) => eb.and({ aid, uid, text, actor }))
    .where('created', '>', now - SAME_NOTE)
    .executeTakeFirst()
  if (same) return same
  const note = { aid, id: newId(), uid, text, actor, created: now, changed: null, changed_by: null }
  await trx.insertInto('notes').values(note).execute()
  await recordChange(trx, who, 'note added', now)
  return note
}

/** Replaces the text of a note. The same text changes nothing. */
export async function changeNote(
  trx: Trx,
  who: Subject,
  id: string,
  text: string,
  now: Seconds,
): Promise<void> {
  const { aid, actor } = who
  if ((await getNote(trx, who, id)).text === text) return
  await updateRows(trx, 'notes', { aid, id }, { text, changed: now, changed_by: actor })
  await recordChange(trx, who, 'note changed', now)
}

export async function removeNote(trx: Trx, who: Subject, id: string, now: Seconds): Promise<void> {
  await getNote(trx, who, id)
  await deleteRows(trx, 'notes', { aid: who.aid, id })
  await recordChange(trx, who, 'note removed', now)
}

/** Deletes all notes about a user, and returns how many. */
export async function eraseNotes(trx: Trx, aid: string, uid: string): Promise<number> {
  return await deleteRows(trx, 'notes', { aid, uid })
}

export async function moveNotes(trx: Trx, aid: string, from: string, into: string): Promise<void> {
  await updateRows(trx, 'notes', { aid, uid: from }, { uid: into })
}

async function getNote(trx: Trx, who: Subject, id: string): Promise<NoteTable> {
  await lockUser(trx, who)
  const { aid, uid } = who
  return requireFound(await findRow(trx, 'notes', { aid, id, uid }), 'note_not_found')
}

/** The history says that there was a note, and never what it said. */
const recordChange = async (
  trx: Trx,
  { aid, uid, actor }: Subject,
  action: HistoryAction,
  at: Seconds,
) => await recordHistory(trx, [{ aid, uid, at, actor, action }])
