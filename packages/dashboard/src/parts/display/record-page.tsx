import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { get, keys } from '../../api.ts'
import { usePlace } from '../../place.ts'
import { Loaded } from './loaded.tsx'

interface Props<T> {
  /** The API name of its list. */
  list: 'downloads' | 'mails' | 'payments' | 'subscriptions'
  children: (record: T) => ReactNode
}

/** Loads the record whose id is in the URL of the page. */
export function Recorded<T>({ list, children }: Props<T>): ReactNode {
  const { environment, aid, path } = usePlace()
  const { id } = useParams({ strict: false }) as { id: string }
  return (
    <Loaded
      queryKey={keys.of(environment, aid, list, id)}
      load={(signal) => get<T>(path(list, id), {}, signal)}
    >
      {children}
    </Loaded>
  )
}
