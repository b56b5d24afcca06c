import { Progress as Radix } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../button.tsx'

interface Props {
  label: string
  done: number
  total: number
  /** The progress so far, in words. */
  text: string
  stop: string
  onStop: () => void
}

/** The progress of a long piece of work, and a button to stop it. */
export function ProgressBar({ label, done, total, text, stop, onStop }: Props): ReactNode {
  const bar = useRef<HTMLDivElement>(null)
  const part = total === 0 ? 0 : done / total
  useEffect(() => {
    bar.current?.style.setProperty('width', `${part * 100}%`)
  }, [part])
  return (
    <div className="grid gap-2">
      <Radix.Root
        value={Math.floor(part * 100)}
        aria-label={label}
        className="h-2 overflow-hidden rounded-full bg-hover"
      >
        <Radix.Indicator ref={bar} className="h-full w-0 rounded-full bg-accent" />
      </Radix.Root>
      <div className="flex items-center justify-between gap-3">
        <span className="text-soft tabular-nums">{text}</span>
        <Button onClick={onStop}>{stop}</Button>
      </div>
    </div>
  )
}
