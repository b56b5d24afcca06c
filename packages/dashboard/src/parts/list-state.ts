import { useNavigate, useSearch } from '@tanstack/react-router'

type Search = { readonly [name: string]: string | undefined }

export interface ListState {
  /** What the address says: filters, `q` and `page`. */
  search: Search
  page: number
  /** Changes some of it, and begins at the first page unless told otherwise. */
  change: (next: Search, options?: { replace?: boolean }) => void
}

/** The state of a list is its address: a link to a list is the list. */
export function useListState(): ListState {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const page = Number(search.page ?? 0)
  return {
    search,
    page: Number.isSafeInteger(page) && page >= 0 ? page : 0,
    change: (next, { replace = false } = {}) => {
      const merged = { ...search, page: undefined, ...next }
      const kept = Object.entries(merged).filter(([, value]) => value !== undefined && value !== '')
      void navigate({
        to: '.',
        search: Object.fromEntries(kept) as never,
        replace,
        resetScroll: false,
      })
    },
  }
}
