import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { get, keys } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { QueryResult } from './query-result.tsx'

interface Props<T> {
  /** The API name of its list. */
  list: 'downloads' | 'mails' | 'payments' | 'subscriptions' | 'webhooks'
  children: (record: T) => ReactNode
}

/** Loads the record whose id is in the URL of the page. */
export function RecordPage<T>({ list, children }: Props<T>): ReactNode {
  const { environment, aid, path } = useAppScope()
  const { id } = useParams({ strict: false }) as { id: string }
  return (
    <QueryResult
      queryKey={keys.of(environment, aid, list, id)}
      load={(signal) => get<T>(path(list, id), {}, signal)}
    >
      {children}
    </QueryResult>
  )
}
