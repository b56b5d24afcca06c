import { useState } from 'react'
import { errorMessage } from './forms/use-form.ts'

/** Tells whether work is under way, for the button that started it. */
export function useBusy(): {
  busy: boolean
  whileBusy: <R>(work: () => Promise<R>) => Promise<R>
} {
  const [busy, setBusy] = useState(false)
  return {
    busy,
    whileBusy: async (work) => {
      setBusy(true)
      try {
        return await work()
      } finally {
        setBusy(false)
      }
    },
  }
}

/** The state of a button's action: `busy` while it runs, and `problem` if it failed. */
export function useAction(action: () => Promise<unknown>): {
  busy: boolean
  problem: string | undefined
  run: () => void
} {
  const { busy, whileBusy } = useBusy()
  const [problem, setProblem] = useState<string>()
  const run = () => {
    setProblem(undefined)
    whileBusy(action).catch((error) => setProblem(errorMessage(error)))
  }
  return { busy, problem, run }
}
