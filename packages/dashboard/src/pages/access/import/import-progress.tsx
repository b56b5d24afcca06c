import type { ReactNode } from 'react'
import { ProgressBar } from '../../../components/charts/progress-bar.tsx'
import { texts } from '../../../texts.ts'
import type { Progress } from './import-run.ts'

interface Props {
  label: string
  progress: Progress
  onStop: () => void
}

export function ImportProgress({ label, progress: { done, total }, onStop }: Props): ReactNode {
  const { progress, stop } = texts.importing
  return <ProgressBar {...{ label, done, total, stop, onStop }} text={progress(done, total)} />
}
