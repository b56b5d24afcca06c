import type { ImportDone, ImportRow } from '@gatehouse/server/dashboard-api'
import { FileDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { type BadgeState, StateBadge } from '../../components/display/state-badge.tsx'
import { saveFile, toCsv } from '../../components/lists/csv.ts'
import { Pager } from '../../components/lists/pager.tsx'
import { formatNumber } from '../../format.ts'
import { texts } from '../../texts.ts'

const { access } = texts
type Outcome = ImportRow['outcome']

const BADGE_STATES: Record<Outcome, BadgeState> = {
  new: 'live',
  changed: 'live',
  unchanged: 'ended',
  refused: 'failed',
}
const OUTCOMES = Object.keys(BADGE_STATES) as Outcome[]
const PAGESIZE = 50

function saveRefused(lines: readonly ImportRow[]) {
  const rows = lines.map(({ line, rid, email, reason = '' }) => [line, rid, email, reason])
  saveFile('refused.csv', toCsv([['line', 'rid', 'email', 'reason'], ...rows]))
}

/** Lists every row of a file with its outcome; starts with the refused rows if there are any. */
export function ImportLines({ result }: { result: ImportDone }): ReactNode {
  const refused = result.lines.filter(({ outcome }) => outcome === 'refused')
  const [shown, setShown] = useState<Outcome | undefined>(
    refused.length > 0 ? 'refused' : undefined,
  )
  const [page, setPage] = useState(0)
  const lines =
    shown === undefined ? result.lines : result.lines.filter(({ outcome }) => outcome === shown)
  const show = (outcome: Outcome | undefined) => {
    setShown(outcome)
    setPage(0)
  }
  return (
    <div className="grid gap-3">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms. */}
      <div role="group" aria-label={access.outcome} className="flex flex-wrap items-center gap-2">
        <Choice
          on={shown === undefined}
          label={access.all}
          value={result.rows}
          onClick={() => show(undefined)}
        />
        {OUTCOMES.map((outcome) => (
          <Choice
            key={outcome}
            on={shown === outcome}
            label={access.lineOutcomes[outcome]}
            value={result.lines.filter((line) => line.outcome === outcome).length}
            onClick={() => show(outcome)}
          />
        ))}
        {refused.length > 0 && (
          <span className="sm:ml-auto">
            <Button icon={FileDown} onClick={() => saveRefused(refused)}>
              {access.refusedCsv}
            </Button>
          </span>
        )}
      </div>
      {lines.length > 0 && <Lines lines={lines.slice(page * PAGESIZE, (page + 1) * PAGESIZE)} />}
      {lines.length > PAGESIZE && (
        <Pager page={page} pagesize={PAGESIZE} total={lines.length} onPage={setPage} />
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

const headClass = 'px-3 py-2 text-left text-xs font-medium text-soft'

function Lines({ lines }: { lines: readonly ImportRow[] }): ReactNode {
  return (
    <div className="rounded-lg border border-line">
      <table className="w-full">
        <caption className="sr-only">{access.dryRun}</caption>
        <thead>
          <tr>
            <th scope="col" className={`${headClass} w-14 text-right`}>
              {access.line}
            </th>
            <th scope="col" className={headClass}>
              {access.person}
            </th>
            <th scope="col" className={`${headClass} max-sm:hidden`}>
              {access.resource}
            </th>
            <th scope="col" className={headClass}>
              {access.outcome}
            </th>
          </tr>
        </thead>
        <tbody className="[&_td]:border-t [&_td]:border-line [&_td]:px-3 [&_td]:py-2 [&_td]:align-top">
          {lines.map(({ line, email, rid, outcome, reason }) => (
            <tr key={line}>
              <td className="text-right text-soft">{line}</td>
              <td>
                {email}
                <span className="block text-soft sm:hidden">{rid}</span>
              </td>
              <td className="max-sm:hidden">{rid}</td>
              <td>
                <StateBadge state={BADGE_STATES[outcome]}>
                  {access.lineOutcomes[outcome]}
                </StateBadge>
                {reason !== undefined && <span className="mt-1 block text-soft">{reason}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
