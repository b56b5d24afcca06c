import { type QueryKey, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../api.ts'
import { ErrorPage } from '../../frame/error-page.tsx'
import { NotFoundPage } from '../../frame/not-found-page.tsx'
import { Skeleton } from './skeleton.tsx'

interface Props<T> {
  queryKey: QueryKey
  load: (signal: AbortSignal) => Promise<T>
  children: (record: T) => ReactNode
}

/** Loads a record and renders it; shows a skeleton until then, or an error. */
export function QueryResult<T>({ queryKey, load, children }: Props<T>): ReactNode {
  const { data, error } = useQuery({ queryKey, queryFn: ({ signal }) => load(signal) })
  if (data !== undefined) return children(data)
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />
  if (error) return <ErrorPage error={error} />
  return <Skeleton lines={8} />
}
