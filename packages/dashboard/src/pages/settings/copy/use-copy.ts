import type { CopiedItem, CopyBody, CopyEvent } from '@gatehouse/server/dashboard-api'
import { useEffect, useRef, useState } from 'react'
import { keys, streamJson } from '../../../api.ts'
import { type EnvironmentName, useAppScope } from '../../../app-scope.ts'
import { queryClient } from '../../../query-client.ts'

/** A copy that came to its end, was stopped, or broke off. */
export interface EndedCopy {
  items: readonly CopiedItem[]
  total: number
  isComplete: boolean
}

type State =
  | { name: 'idle' }
  | { name: 'refused'; error: unknown }
  | { name: 'running'; done: number; total: number }
  | ({ name: 'ended' } & EndedCopy)

/** Runs copies to another application, one at a time. Leaving the page stops them after the item they are at. */
export function useCopy(to: { environment: EnvironmentName; aid: string }) {
  const { path } = useAppScope()
  const [state, setState] = useState<State>({ name: 'idle' })
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])

  async function start(body: CopyBody): Promise<void> {
    const stop = new AbortController()
    controller.current = stop
    const items: CopiedItem[] = []
    let total: number | undefined
    let isComplete = false
    setState({ name: 'running', done: 0, total: 0 })
    const onLine = (event: CopyEvent) => {
      if ('total' in event) total = event.total
      else if ('item' in event) items.push(event.item)
      else isComplete = true
      setState({ name: 'running', done: items.length, total: total ?? 0 })
    }
    try {
      await streamJson<CopyEvent>(path('copy'), body, { onLine, signal: stop.signal })
    } catch (error) {
      // Refused before it began: nothing has changed.
      if (total === undefined && !stop.signal.aborted) return setState({ name: 'refused', error })
    }
    setState({ name: 'ended', items, total: total ?? 0, isComplete })
    await queryClient.invalidateQueries({ queryKey: keys.of(to.environment, to.aid) })
  }

  return {
    state,
    start,
    stop: () => controller.current?.abort(),
    reset: () => setState({ name: 'idle' }),
  }
}
