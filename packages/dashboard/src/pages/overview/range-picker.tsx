import { type DayRange, DEVELOPERS, type Figures } from '@gatehouse/server/dashboard-api'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Select } from '../../components/forms/select.tsx'
import { TextInput } from '../../components/forms/text-input.tsx'
import { formatDate } from '../../components/lists/filter-days.ts'
import { useHasRole } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { type FiguresSearch, figuresParameters, PRESETS } from './overview-query.ts'

const words = texts.figures
const CUSTOM = 'custom'

export const formatSpan = ({ first, last }: DayRange): string =>
  words.span(formatDate(first), formatDate(last))

function useShow() {
  const navigate = useNavigate()
  return (search: FiguresSearch) =>
    void navigate({ to: '.', search: search as never, resetScroll: false })
}

interface Props {
  search: FiguresSearch
  figures: Figures | undefined
}

/** Chooses a range by its name, or by its days. */
export function RangePicker({ search, figures }: Props): ReactNode {
  const show = useShow()
  const { range } = figuresParameters(search) as { range?: string }
  const [isCustom, setIsCustom] = useState(range === undefined)
  const { currency } = search
  const kept = currency === undefined ? {} : { currency }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label={words.range}
        value={isCustom ? CUSTOM : (range ?? CUSTOM)}
        onChange={({ target }) => {
          setIsCustom(target.value === CUSTOM)
          if (target.value !== CUSTOM) show({ range: target.value, ...kept })
        }}
        options={[...PRESETS, CUSTOM].map((value) => ({
          value,
          label: words.ranges[value as keyof typeof words.ranges],
        }))}
      />
      {isCustom && (
        <DaysForm
          key={`${search.first} ${search.last}`}
          first={search.first ?? figures?.range.first}
          last={search.last ?? figures?.range.last}
          onShow={(days) => show({ ...days, ...kept })}
        />
      )}
    </div>
  )
}

/** Keeps what was typed, also if the server refuses it. */
function DaysForm({
  first,
  last,
  onShow,
}: {
  first: string | undefined
  last: string | undefined
  onShow: (days: DayRange) => void
}): ReactNode {
  function apply(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    onShow({ first: String(typed.get('first')), last: String(typed.get('last')) })
  }
  return (
    <form onSubmit={apply} className="flex flex-wrap items-center gap-2">
      <DayInput name="first" label={words.first} day={first} />
      <DayInput name="last" label={words.last} day={last} />
      <Button type="submit">{words.apply}</Button>
    </form>
  )
}

function DayInput(props: { name: string; label: string; day: string | undefined }): ReactNode {
  const { name, label, day } = props
  return (
    <span className="block w-36">
      <TextInput type="date" name={name} aria-label={label} required defaultValue={day} />
    </span>
  )
}

/** Only if there is money in several currencies: they are never added. */
export function CurrencySwitch({
  figures: { currencies, currency },
  search,
}: {
  figures: Figures
  search: FiguresSearch
}): ReactNode {
  const show = useShow()
  if (currencies.length < 2) return null
  return (
    <Select
      aria-label={words.currency}
      value={currency}
      onChange={({ target }) => show({ ...search, currency: target.value })}
      options={currencies.map((value) => ({ value, label: value }))}
    />
  )
}

/** Says which days are shown, and whose. */
export function RangeLine({ figures }: { figures: Figures }): ReactNode {
  const { path } = useAppScope()
  const canChange = useHasRole(DEVELOPERS)
  return (
    <p className="-mt-2 text-soft">
      {words.zone(formatSpan(figures.range), figures.time_zone)}{' '}
      {canChange && (
        <Link to={path('settings', 'brand')} className="underline underline-offset-2">
          {words.changeZone}
        </Link>
      )}
    </p>
  )
}
