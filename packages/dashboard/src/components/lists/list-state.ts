import { useNavigate, useSearch } from '@tanstack/react-router'

type Search = { readonly [name: string]: string | undefined }

export interface ListState {
  /** The parameters in the URL: filters, `q` and `page`. */
  search: Search
  page: number
  /** Changes some of them, and returns to the first page unless `page` is given. */
  change: (next: Search, options?: { replace?: boolean }) => void
}

/** Keeps the state of a list in the URL, so that it can be shared as a link. */
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
