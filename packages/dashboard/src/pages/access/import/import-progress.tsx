import { Progress as Radix } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../../components/button.tsx'
import { texts } from '../../../texts.ts'
import type { Progress } from './import-run.ts'

interface Props {
  label: string
  progress: Progress
  onStop: () => void
}

export function ImportProgress({ label, progress: { done, total }, onStop }: Props): ReactNode {
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
        <span className="text-soft tabular-nums">{texts.importing.progress(done, total)}</span>
        <Button onClick={onStop}>{texts.importing.stop}</Button>
      </div>
    </div>
  )
}
