import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { get, keys } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { QueryResult } from './query-result.tsx'

/** The API name of the list of records. */
type ListName = 'downloads' | 'mails' | 'payments' | 'subscriptions' | 'webhooks'

export interface RecordProps<T> {
  record: T
}

/** Makes the page of a record of what shows it: the page loads the record whose id is in its URL. */
export function recordPage<T>(
  list: ListName,
  Content: (props: RecordProps<T>) => ReactNode,
): () => ReactNode {
  return function RecordPage() {
    const { environment, aid, path } = useAppScope()
    const { id } = useParams({ strict: false }) as { id: string }
    return (
      <QueryResult
        queryKey={keys.of(environment, aid, list, id)}
        load={(signal) => get<T>(path(list, id), {}, signal)}
      >
        {(record) => <Content key={id} record={record} />}
      </QueryResult>
    )
  }
}
