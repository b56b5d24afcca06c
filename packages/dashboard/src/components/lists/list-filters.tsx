import { ListFilter, Search } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTimeZone } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { Button } from '../button.tsx'
import { cx } from '../cx.ts'
import { Chip } from '../display/chip.tsx'
import { Field } from '../forms/field.tsx'
import { type Option, Select } from '../forms/select.tsx'
import { inputClass, TextInput } from '../forms/text-input.tsx'
import {
  type DayEdge,
  dayToSeconds,
  formatDate,
  formatFilterDay,
  secondsToDay,
} from './filter-days.ts'
import type { ListState } from './list-state.ts'
import { ResourceInput, ResourceName } from './resource-filter.tsx'
import type { Column } from './table-head.tsx'

/** A parameter of the list: selected if it has options, otherwise typed. */
export interface Filter {
  name: string
  label: string
  options?: readonly Option[]
  /** For a date: the first day that counts, or the last. The parameter is in seconds. */
  day?: DayEdge
  /** For a date that the parameter has as it is: 2027-03-28. */
  isDate?: boolean
  hint?: string
  /** Takes a resource: selected by name, and searched for if there are many. */
  isResource?: boolean
  /** Not offered in the form: set by links from other pages, and shown as a chip. */
  isHidden?: boolean
  /** Shows the value in its chip. */
  shown?: (value: string) => ReactNode
}

interface Props {
  state: ListState
  filters: readonly Filter[]
}

function shownValue(filter: Filter, value: string, zone: string): ReactNode {
  if (filter.shown !== undefined) return filter.shown(value)
  if (filter.isResource) return <ResourceName rid={value} />
  if (filter.day !== undefined) return formatFilterDay(filter.day, value, zone)
  if (filter.isDate) return formatDate(value)
  return filter.options?.find((option) => option.value === value)?.label ?? value
}

/** The active filters, each with a button to remove it. */
export function FilterChips({ state, filters }: Props): ReactNode {
  const zone = useTimeZone()
  const set = filters.filter(({ name }) => state.search[name] !== undefined)
  if (set.length === 0) return null
  const all = Object.fromEntries(set.map(({ name }) => [name, undefined]))
  return (
    <ul aria-label={texts.list.filters} className="flex flex-wrap items-center gap-1.5">
      {set.map((filter) => (
        <li key={filter.name} className="max-w-full">
          <Chip
            removeLabel={texts.list.removeFilter(filter.label)}
            onRemove={() => state.change({ [filter.name]: undefined })}
          >
            <span className="text-soft">{filter.label}:</span>{' '}
            {shownValue(filter, state.search[filter.name] as string, zone)}
          </Chip>
        </li>
      ))}
      {set.length > 1 && (
        <li>
          <Button variant="quiet" onClick={() => state.change(all)}>
            {texts.list.clearFilters}
          </Button>
        </li>
      )}
    </ul>
  )
}

/** The sort orders of a list as a filter, for screens on which the headers of some columns are hidden. */
function sortFilter(columns: readonly Sortable[]): Filter[] {
  const options = columns.flatMap(({ header, sort }) =>
    sort === undefined
      ? []
      : [
          { value: sort.by, label: texts.list.sortUp(header) },
          { value: `-${sort.by}`, label: texts.list.sortDown(header) },
        ],
  )
  return options.length === 0 ? [] : [{ name: 'sort', label: texts.list.sort, options }]
}

type Sortable = Pick<Column<never>, 'header' | 'sort'>

/** A button that opens the fields of all filters, and the sort orders. */
export function FilterButton({
  state,
  filters: given,
  columns,
}: Props & { columns: readonly Sortable[] }): ReactNode {
  const [open, setOpen] = useState(false)
  const zone = useTimeZone()
  const filters = [...given.filter(({ isHidden }) => !isHidden), ...sortFilter(columns)]
  function apply(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const values = filters.map(({ name, day }) => {
      const value = String(typed.get(name) ?? '').trim()
      return [name, day === undefined ? value : dayToSeconds(day, value, zone)]
    })
    state.change(Object.fromEntries(values))
    setOpen(false)
  }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button icon={ListFilter}>{texts.list.addFilter}</Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={texts.list.filters}
          className="z-50 max-h-(--radix-popover-content-available-height) w-[min(20rem,92vw)] animate-appear overflow-y-auto rounded-lg border border-line bg-raised p-4 shadow-float"
        >
          <form onSubmit={apply} className="grid gap-3">
            {filters.map((filter) => (
              <Field
                key={filter.name}
                label={filter.label}
                {...(filter.hint === undefined ? {} : { hint: filter.hint })}
              >
                <FilterInput filter={filter} value={state.search[filter.name]} />
              </Field>
            ))}
            <Button type="submit" variant="primary">
              {texts.list.apply}
            </Button>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function FilterInput({ filter, value }: { filter: Filter; value: string | undefined }): ReactNode {
  const { name, options, day, isResource } = filter
  const zone = useTimeZone()
  if (isResource) return <ResourceInput name={name} value={value} />
  if (options !== undefined) {
    const all = [{ value: '', label: '—' }, ...options]
    return <Select name={name} defaultValue={value ?? ''} options={all} />
  }
  if (day !== undefined) {
    return <TextInput type="date" name={name} defaultValue={secondsToDay(day, value, zone)} />
  }
  if (filter.isDate) return <TextInput type="date" name={name} defaultValue={value} />
  return <TextInput name={name} defaultValue={value} autoComplete="off" />
}

const DEBOUNCE = 150

/** Searches while typing. Arrow down moves to the first result. */
export function SearchBox({
  state,
  placeholder,
  onDown,
}: {
  state: ListState
  placeholder: string
  onDown: () => void
}): ReactNode {
  const given = state.search.q ?? ''
  const [text, setText] = useState(given)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Follows the URL, after going back or clearing all filters.
  useEffect(() => setText(given), [given])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <span className="relative block w-full min-w-40 sm:max-w-80">
      <Search
        size={16}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-soft"
      />
      <input
        type="search"
        aria-label={texts.list.search}
        placeholder={placeholder}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          clearTimeout(timer.current)
          timer.current = setTimeout(
            () => state.change({ q: target.value.trim() }, { replace: true }),
            DEBOUNCE,
          )
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          onDown()
        }}
        className={cx(inputClass, 'pl-8')}
      />
    </span>
  )
}
