import type { ReactNode } from 'react'
import { errorMessage } from '../forms/use-form.ts'
import { Notice } from './notice.tsx'
import { Skeleton } from './skeleton.tsx'

interface Props<T> {
  query: { data: T | undefined; error: Error | null }
  /** The height of the skeleton. */
  lines?: number
  children: (data: T) => ReactNode
}

/** Renders what a query of a part of a page has loaded; shows a skeleton until then, and its error. */
export function QueryContent<T>({ query, lines = 4, children }: Props<T>): ReactNode {
  const { data, error } = query
  return (
    <>
      {error && <Notice tone="failed">{errorMessage(error)}</Notice>}
      {data === undefined && !error && <Skeleton lines={lines} />}
      {data !== undefined && children(data)}
    </>
  )
}
