import { Type } from 'typebox'
import {
  addView,
  changeView,
  listViews,
  problemWithSearch,
  removeView,
  type ViewSearch,
  viewedList,
  viewName,
} from '../../../domain/staff/saved-views.ts'
import { invalid } from '../../../errors.ts'
import { readField, readOptionalField } from '../../../parameters.ts'
import { type AppRequest, appRoute, STAFF } from '../route.ts'
import type { SavedViewItem } from './schemas.ts'
import { realTimeOf } from './sign-in.ts'

const Search = Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 1_000 }))
const name = Type.String({ maxLength: 1_000 })

const ownerOf = ({ staff, aid }: AppRequest) => ({ staffId: staff.id, aid })

/** Returns all views of the member in this application: there are few, and the web app keeps them together. */
async function showViews(call: AppRequest): Promise<{ data: SavedViewItem[] }> {
  const rows = await listViews(call.ctx.control.read, ownerOf(call))
  return { data: rows.map(({ isDefault, ...view }) => ({ ...view, is_default: isDefault })) }
}

function requireSearch(search: ViewSearch): ViewSearch {
  const problem = problemWithSearch(search)
  if (problem !== undefined) throw invalid('search', problem)
  return search
}

const list = appRoute('GET /views', { allowed: STAFF, handle: showViews })

const save = appRoute('POST /views', {
  allowed: STAFF,
  action: 'view.save',
  body: Type.Object({ list: Type.String(), name, search: Search }),
  async handle(call) {
    const { ctx, body, note } = call
    const view = {
      list: readField('list', body.list, viewedList),
      name: readField('name', body.name.trim(), viewName),
      search: requireSearch(body.search),
    }
    note({ list: view.list })
    const id = await ctx.control.write((trx) => addView(trx, ownerOf(call), view, realTimeOf(ctx)))
    return { id, ...(await showViews(call)) }
  },
})

const change = appRoute('PATCH /views/:id', {
  allowed: STAFF,
  action: 'view.change',
  body: Type.Object({
    name: Type.Optional(name),
    search: Type.Optional(Search),
    is_default: Type.Optional(Type.Boolean()),
  }),
  async handle(call) {
    const { ctx, params, body } = call
    const input = {
      name: readOptionalField('name', body.name?.trim(), viewName),
      search: body.search && requireSearch(body.search),
      isDefault: body.is_default,
    }
    await ctx.control.write((trx) => changeView(trx, ownerOf(call), params.id ?? '', input))
    return await showViews(call)
  },
})

const remove = appRoute('DELETE /views/:id', {
  allowed: STAFF,
  action: 'view.remove',
  async handle(call) {
    await call.ctx.control.write((trx) => removeView(trx, ownerOf(call), call.params.id ?? ''))
    return await showViews(call)
  },
})

export const viewRoutes = [list, save, change, remove]
