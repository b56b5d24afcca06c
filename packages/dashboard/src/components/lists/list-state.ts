import { useNavigate, useSearch } from '@tanstack/react-router'

type Search = { readonly [name: string]: string | undefined }

export interface ListState {
  /** The parameters in the URL: filters, `q` and `page`. */
  search: Search
  page: number
  /** Changes some of them, and returns to the first page unless `page` is given. */
  change: (next: Search, options?: { replace?: boolean }) => void
  /** Goes to a page of the list, counted from 0. */
  toPage: (page: number) => void
}

/** Keeps the state of a list in the URL, so that it can be shared as a link. */
export function useListState(): ListState {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const page = Number(search.page ?? 0)
  const change: ListState['change'] = (next, { replace = false } = {}) => {
    const merged = { ...search, page: undefined, ...next }
    const kept = Object.entries(merged).filter(([, value]) => value !== undefined && value !== '')
    void navigate({
      to: '.',
      search: Object.fromEntries(kept) as never,
      replace,
      resetScroll: false,
    })
  }
  return {
    search,
    page: Number.isSafeInteger(page) && page >= 0 ? page : 0,
    change,
    // The first page is the one without a number.
    toPage: (next) => change({ page: next === 0 ? undefined : String(next) }),
  }
}
