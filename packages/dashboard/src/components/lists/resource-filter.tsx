import type { ResourceDetails, ResourcePage } from '@gatehouse/server/dashboard-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { get, keys } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { ridToApiSegment } from '../../resource-path.ts'
import { texts } from '../../texts.ts'
import { Select } from '../forms/select.tsx'
import { TextInput } from '../forms/text-input.tsx'
import { ComboboxOption } from './combobox-option.tsx'

/** Above this number, resources are searched for by name. */
const MAX_OPTIONS = 100
/** The results that fit below the input. */
const MAX_RESULTS = 8

/** Resources by a part of their name; all of them without a text. Archived ones are left out. */
function useResources(q: string) {
  const { environment, aid, path } = useAppScope()
  const asked = { q, sort: 'name', pagesize: MAX_OPTIONS }
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'resources', 'by name', q),
    queryFn: ({ signal }) => get<ResourcePage>(path('resources'), asked, signal),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
  return data
}

function useResourceName(rid: string | undefined): string | undefined {
  const { environment, aid, path } = useAppScope()
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'resources', rid),
    queryFn: ({ signal }) =>
      get<ResourceDetails>(path('resources', ridToApiSegment(rid ?? '')), {}, signal),
    enabled: rid !== undefined && rid !== '',
    staleTime: 60_000,
    retry: false,
  })
  return data?.name
}

/** The name of a resource, archived or not; its rid if there is none. */
export function ResourceName({ rid }: { rid: string }): ReactNode {
  return useResourceName(rid) ?? rid
}

interface Props {
  /** The name of the parameter. */
  name: string
  /** The rid that is chosen. */
  value: string | undefined
}

/** Chooses a resource by name, for a form that reads its fields by name. */
export function ResourceInput(props: Props): ReactNode {
  const all = useResources('')
  if (all === undefined) return <Select name={props.name} options={[]} disabled />
  return all.total > MAX_OPTIONS ? <ResourceSearch {...props} /> : <ResourceSelect {...props} />
}

function ResourceSelect({ name, value = '' }: Props): ReactNode {
  const items = useResources('')?.data ?? []
  const chosen = useResourceName(value)
  const isListed = value === '' || items.some(({ rid }) => rid === value)
  const options = [
    { value: '', label: texts.list.anyResource },
    ...items.map((one) => ({ value: one.rid, label: one.name })),
    ...(isListed ? [] : [{ value, label: chosen ?? value }]),
  ]
  return <Select name={name} defaultValue={value} options={options} />
}

/** A text box with the matching resources below it. */
function ResourceSearch({ name, value = '' }: Props): ReactNode {
  const id = useId()
  const stored = useResourceName(value)
  const [chosen, setChosen] = useState<{ rid: string; name: string }>()
  const [text, setText] = useState<string>()
  const [at, setAt] = useState(0)
  const found = useResources(text ?? '')?.data.slice(0, MAX_RESULTS) ?? []
  const isOpen = text !== undefined && text !== ''
  const choose = (one: { rid: string; name: string } | undefined) => {
    if (one === undefined) return
    setChosen({ rid: one.rid, name: one.name })
    setText(undefined)
    setAt(0)
  }
  function press(event: KeyboardEvent) {
    if (!isOpen) return
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0))
    else if (event.key === 'Enter') choose(found[at])
    else return
    event.preventDefault()
  }
  return (
    <>
      <input type="hidden" name={name} value={text === '' ? '' : (chosen?.rid ?? value)} />
      <TextInput
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && found[at] ? `${id}-${at}` : undefined}
        autoComplete="off"
        placeholder={texts.list.findResource}
        value={text ?? chosen?.name ?? stored ?? value}
        onChange={({ target }) => {
          setText(target.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <div id={`${id}-list`} role="listbox" aria-label={texts.list.findResource}>
        {isOpen &&
          found.map((one, index) => (
            <ComboboxOption
              key={one.rid}
              id={`${id}-${index}`}
              isSelected={index === at}
              onClick={() => choose(one)}
              onPointerMove={() => setAt(index)}
            >
              {one.name}
            </ComboboxOption>
          ))}
      </div>
      <p role="status" className="text-soft">
        {isOpen && found.length === 0 && texts.list.noResource}
      </p>
    </>
  )
}
