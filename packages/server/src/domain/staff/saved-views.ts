import type { ControlDatabase } from '../../db/database.ts'
import { deleteRows, findAndLockRow, insertIfAbsent, updateRows } from '../../db/queries/rows.ts'
import type { Millis, SavedViewTable } from '../../db/tables.ts'
import { fail, invalid, requireFound } from '../../errors.ts'
import { nameText, oneOf, problems } from '../../fields.ts'
import { newId } from '../../ids.ts'
import { type ErasedReader, namesReader } from './erase-audit.ts'
import { type ControlDb, type ControlTrx, lockStaff } from './staff.ts'

/** The lists of an application that have saved views. */
export const VIEWED_LISTS = [
  ...(['access', 'people', 'resources', 'subscriptions', 'payments'] as const),
  ...(['downloads', 'deliveries', 'mails'] as const),
]
export type ViewedList = (typeof VIEWED_LISTS)[number]

const MAX_NAME = 60
const MAX_PER_LIST = 50
const MAX_PARAMETERS = 20

export const viewName = nameText(MAX_NAME, 'The name of a view.')
export const viewedList = oneOf(VIEWED_LISTS)

/** Filters and `sort`, as they are in the URL of the list. */
export type ViewSearch = Readonly<Record<string, string>>

export interface SavedView {
  id: string
  list: string
  name: string
  search: ViewSearch
  isDefault: boolean
}

/** The member of staff and the application that a set of views belongs to. */
interface Owner {
  staffId: string
  aid: string
}

const PARAMETER = /^[a-z_]{1,40}$/
const MAX_VALUE = 255

/** Returns what is wrong with the parameters of a view, if anything. */
export function problemWithSearch(search: ViewSearch): string | undefined {
  const all = Object.entries(search)
  if (all.length === 0) return problems.empty
  if (all.length > MAX_PARAMETERS) return problems.tooLarge(MAX_PARAMETERS)
  const isSound = ([name, value]: [string, string]) =>
    PARAMETER.test(name) && value !== '' && value.length <= MAX_VALUE
  return all.every(isSound) ? undefined : 'must have short names and values'
}

const toView = ({ id, list, name, search, is_default }: SavedViewTable): SavedView => ({
  ...{ id, list, name },
  search: JSON.parse(search) as ViewSearch,
  isDefault: is_default === 1,
})

/** Lists all views of a member in one application, oldest first. */
export async function listViews(db: ControlDb, { staffId, aid }: Owner): Promise<SavedView[]> {
  const rows = await db
    .selectFrom('saved_views')
    .selectAll()
    .where((eb) => eb.and({ staff_id: staffId, aid }))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toView)
}

interface NewView {
  list: ViewedList
  name: string
  search: ViewSearch
}

export async function addView(
  trx: ControlTrx,
  { staffId, aid }: Owner,
  { list, name, search }: NewView,
  now: Millis,
): Promise<string> {
  await lockStaff(trx)
  const own = await listViews(trx, { staffId, aid })
  if (own.filter((view) => view.list === list).length >= MAX_PER_LIST) throw fail('too_many_views')
  const id = newId()
  const row = {
    ...{ id, staff_id: staffId, aid, list, name, search: JSON.stringify(search) },
    ...{ is_default: 0 as const, created_at: now },
  }
  const unique = ['staff_id', 'aid', 'list', 'name'] as const
  if (!(await insertIfAbsent(trx, 'saved_views', row, unique))) throw nameTaken()
  return id
}

const nameTaken = () => invalid('name', 'already the name of a view')

interface ViewChange {
  name?: string | undefined
  search?: ViewSearch | undefined
  isDefault?: boolean | undefined
}

/** Changes a view of a member. Of all views of a list, one can be the default. */
export async function changeView(
  trx: ControlTrx,
  owner: Owner,
  id: string,
  { name, search, isDefault }: ViewChange,
): Promise<void> {
  await lockStaff(trx)
  const view = await getView(trx, owner, id)
  const own = { staff_id: view.staff_id, aid: view.aid, list: view.list }
  if (name !== undefined && name !== view.name) {
    const same = await findAndLockRow(trx, 'saved_views', { ...own, name })
    if (same) throw nameTaken()
  }
  if (isDefault) await updateRows(trx, 'saved_views', own, { is_default: 0 })
  const changed = {
    ...(name === undefined ? {} : { name }),
    ...(search === undefined ? {} : { search: JSON.stringify(search) }),
    ...(isDefault === undefined ? {} : { is_default: isDefault ? (1 as const) : (0 as const) }),
  }
  if (Object.keys(changed).length === 0) return
  await updateRows(trx, 'saved_views', { aid: view.aid, id }, changed)
}

export async function removeView(trx: ControlTrx, owner: Owner, id: string): Promise<void> {
  await getView(trx, owner, id)
  await deleteRows(trx, 'saved_views', { aid: owner.aid, id })
}

async function getView(
  trx: ControlTrx,
  { staffId, aid }: Owner,
  id: string,
): Promise<SavedViewTable> {
  return requireFound(
    await findAndLockRow(trx, 'saved_views', { id, aid, staff_id: staffId }),
    'view_not_found',
  )
}

/** Removes the views whose name or filters name an erased reader. */
export async function eraseFromViews(
  control: ControlDatabase,
  reader: ErasedReader,
): Promise<void> {
  await control.write(async (trx) => {
    const rows = await trx
      .selectFrom('saved_views')
      .selectAll()
      .where('aid', '=', reader.aid)
      .execute()
    for (const row of rows) {
      const texts = [row.name, ...Object.values(toView(row).search)]
      if (!texts.some((one) => reader.uids.includes(one) || namesReader(one, reader.words)))
        continue
      await deleteRows(trx, 'saved_views', { aid: row.aid, id: row.id })
    }
  })
}
