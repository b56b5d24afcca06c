import type { SheetReading } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAppScope } from '../../../app-scope.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Card } from '../../../components/display/card.tsx'
import { texts } from '../../../texts.ts'
import { ImportRows } from './import-rows.tsx'
import type { Run, Sheet } from './import-run.ts'

const words = texts.importing

interface Props {
  sheet: Sheet
  reading: SheetReading
  run: Run
  onOther: () => void
}

/** The changes that the import has made. */
export function ResultCard({ sheet, reading, run, onOther }: Props): ReactNode {
  const { path } = useAppScope()
  const { granted, unchanged, refused } = run.result
  return (
    <Card title={words.done}>
      <p role="status">{words.doneLead(granted, unchanged, refused)}</p>
      <ImportRows sheet={sheet} reading={reading} run={run} />
      <div className="flex flex-wrap gap-2">
        <Link to={path('access')} className={buttonClass('primary')}>
          {words.toList}
        </Link>
        <Button onClick={onOther}>{words.other}</Button>
      </div>
    </Card>
  )
}
