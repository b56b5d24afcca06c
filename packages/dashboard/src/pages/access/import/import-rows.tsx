import type { ImportOutcome, ImportRow, SheetReading } from '@gatehouse/server/dashboard-api'
import { FileDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { badgeOf } from '../../../components/display/state-badge.tsx'
import { Pager } from '../../../components/lists/pager.tsx'
import { EmailWrap } from '../../../components/people/email-wrap.tsx'
import { formatNumber } from '../../../format.ts'
import { texts } from '../../../texts.ts'
import { showEnd } from './end-text.ts'
import type { Run, Sheet } from './import-run.ts'
import { saveRefused } from './refused-file.ts'
import { RowsTable } from './rows-table.tsx'

const words = texts.importing

const OutcomeBadge = badgeOf<ImportOutcome>(words.outcomes, {
  new: 'live',
  extended: 'live',
  shortened: 'ending',
  changed: 'live',
  unchanged: 'ended',
  refused: 'failed',
})
const OUTCOMES = Object.keys(words.outcomes) as ImportOutcome[]
const PAGESIZE = 20

interface Props {
  sheet: Sheet
  reading: SheetReading
  run: Run
}

/** The rows of a file with their outcomes; starts with the refused ones if there are any. */
export function ImportRows({ sheet, reading, run: { result, rows } }: Props): ReactNode {
  const { counts, refused } = result
  const [shown, setShown] = useState<ImportOutcome | undefined>(refused > 0 ? 'refused' : undefined)
  const [page, setPage] = useState(0)
  const chosen = shown === undefined ? rows : rows.filter(({ outcome }) => outcome === shown)
  const total = shown === undefined ? result.rows : counts[shown]
  const show = (outcome: ImportOutcome | undefined) => {
    setShown(outcome)
    setPage(0)
  }
  return (
    <div className="grid gap-3">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms. */}
      <div role="group" aria-label={words.outcome} className="flex flex-wrap items-center gap-2">
        <Choice
          on={shown === undefined}
          label={words.all}
          value={result.rows}
          onClick={() => show(undefined)}
        />
        {OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => (
          <Choice
            key={outcome}
            on={shown === outcome}
            label={words.outcomes[outcome]}
            value={counts[outcome]}
            onClick={() => show(outcome)}
          />
        ))}
      </div>
      {chosen.length > 0 && <Rows rows={chosen.slice(page * PAGESIZE, (page + 1) * PAGESIZE)} />}
      {chosen.length > PAGESIZE && (
        <Pager list={{ page, pagesize: PAGESIZE, total: chosen.length }} onPage={setPage} />
      )}
      {chosen.length < total && <p className="text-soft">{words.firstOf(chosen.length, total)}</p>}
      {refused > 0 && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button icon={FileDown} onClick={() => saveRefused(sheet.name, reading, rows)}>
            {words.refusedFile(refused)}
          </Button>
          <span className="text-soft">{words.refusedHint}</span>
        </div>
      )}
    </div>
  )
}

interface ChoiceProps {
  on: boolean
  label: string
  value: number
  onClick: () => void
}

function Choice({ on, label, value, onClick }: ChoiceProps): ReactNode {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className="h-8 rounded-full border border-line px-3 hover:bg-hover aria-pressed:border-accent aria-pressed:bg-tint pointer-coarse:h-10"
    >
      {label} <span className="font-medium tabular-nums">{formatNumber(value)}</span>
    </button>
  )
}

const COLUMNS = [
  { title: words.row, className: 'w-14 text-right' },
  { title: words.email },
  { title: words.resourceName, className: 'max-sm:hidden' },
  { title: words.until, className: 'max-md:hidden' },
  { title: words.outcome },
]

function Rows({ rows }: { rows: readonly ImportRow[] }): ReactNode {
  return (
    <RowsTable caption={words.result} columns={COLUMNS}>
      {rows.map((row) => (
        <Row key={row.row} row={row} />
      ))}
    </RowsTable>
  )
}

function Row({ row }: { row: ImportRow }): ReactNode {
  const { until, before, outcome, reason } = row
  const end = until === undefined ? '' : showEnd(until)
  const hasMoved = before !== undefined && before !== until
  return (
    <tr>
      <td className="text-right text-soft tabular-nums">{row.row}</td>
      <td>
        <EmailWrap>{row.email}</EmailWrap>
        <span className="block text-soft sm:hidden">{row.resource}</span>
        <span className="block text-soft md:hidden">{end}</span>
      </td>
      <td className="max-sm:hidden">{row.resource}</td>
      <td className="max-md:hidden">
        {end}
        {hasMoved && <span className="block text-soft">{words.from(showEnd(before))}</span>}
      </td>
      <td>
        <OutcomeBadge state={outcome} />
        {reason !== undefined && <span className="mt-1 block break-words text-soft">{reason}</span>}
      </td>
    </tr>
  )
}
