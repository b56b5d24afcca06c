import { type QueryKey, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../api.ts'
import { Broken } from '../../frame/broken.tsx'
import { NotFound } from '../../frame/not-found.tsx'
import { Skeleton } from './skeleton.tsx'

interface Props<T> {
  queryKey: QueryKey
  load: (signal: AbortSignal) => Promise<T>
  children: (record: T) => ReactNode
}

/** Loads a record and renders it; shows a skeleton until then, or an error. */
export function Loaded<T>({ queryKey, load, children }: Props<T>): ReactNode {
  const { data, error } = useQuery({ queryKey, queryFn: ({ signal }) => load(signal) })
  if (data !== undefined) return children(data)
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  if (error) return <Broken error={error} />
  return <Skeleton lines={8} />
}
