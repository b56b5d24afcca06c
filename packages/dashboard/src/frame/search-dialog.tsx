import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useState,
} from 'react'
import { cx } from '../components/cx.ts'
import { ComboboxOption, type OptionProps } from '../components/lists/combobox-option.tsx'
import { Overlay, OverlayTitle } from '../components/overlays/overlay.tsx'
import { texts } from '../texts.ts'
import { isWholeAddress, MAX_SEARCH } from './search-text.ts'
import { type SearchHit, useSearch } from './use-search.ts'

interface Props {
  onClose: () => void
  showShortcuts: () => void
}

/** A search box over pages, actions and all kinds of records. */
export function SearchDialog({ open, ...props }: Props & { open: boolean }): ReactNode {
  return (
    <Overlay
      open={open}
      onClose={props.onClose}
      aria-describedby={undefined}
      className="fixed top-[10dvh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 animate-appear overflow-hidden rounded-xl border border-line bg-raised shadow-float"
    >
      <OverlayTitle className="sr-only">{texts.find.title}</OverlayTitle>
      <SearchBox {...props} />
    </Overlay>
  )
}

function SearchBox({ onClose, showShortcuts }: Props): ReactNode {
  const id = useId()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { hits, settled } = useSearch(text, showShortcuts)
  const chosen = hits[Math.min(at, hits.length - 1)]
  const optionId = (hit: SearchHit) => `${id}-${hit.key}`

  useEffect(() => {
    if (chosen) document.getElementById(`${id}-${chosen.key}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, chosen])

  function go(hit: SearchHit | undefined) {
    if (hit === undefined) return
    onClose()
    hit.run?.()
    const { to, hash } = hit
    if (to !== undefined) void navigate({ to, ...(hash === undefined ? {} : { hash }) })
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Enter') go(chosen)
    else if (event.key === 'ArrowDown') setAt(Math.min(at + 1, hits.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0))
    else return
    event.preventDefault()
  }

  function search(next: string) {
    setText(next)
    setAt(0)
  }

  return (
    <>
      <SearchInput
        listId={`${id}-list`}
        isExpanded={hits.length > 0}
        optionId={chosen && optionId(chosen)}
        value={text}
        onChange={({ target }) => search(target.value)}
        onKeyDown={press}
      />
      <HitList id={`${id}-list`} isEmpty={hits.length === 0}>
        {hits.map((hit, index) => (
          <HitOption
            key={hit.key}
            hit={hit}
            id={optionId(hit)}
            isSelected={hit === chosen}
            onClick={() => go(hit)}
            onPointerMove={() => setAt(index)}
          />
        ))}
      </HitList>
      <Status text={text.trim()} hits={hits.length} settled={settled} />
    </>
  )
}

interface InputProps extends ComponentProps<'input'> {
  listId: string
  isExpanded: boolean
  /** The id of the chosen option. */
  optionId: string | undefined
}

function SearchInput({ listId, isExpanded, optionId, ...input }: InputProps): ReactNode {
  return (
    <div className="flex items-center gap-2 border-b border-line px-4">
      <Search size={16} className="shrink-0 text-soft" aria-hidden />
      <input
        role="combobox"
        aria-label={texts.find.title}
        aria-expanded={isExpanded}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={optionId}
        placeholder={texts.find.placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_SEARCH}
        {...input}
        className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none"
      />
    </div>
  )
}

interface HitListProps {
  id: string
  isEmpty: boolean
  children: ReactNode
}

function HitList({ id, isEmpty, children }: HitListProps): ReactNode {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={texts.find.title}
      className={cx('max-h-[50dvh] overflow-y-auto', !isEmpty && 'p-1.5')}
    >
      {children}
    </div>
  )
}

function HitOption({
  hit,
  ...option
}: { hit: SearchHit } & Omit<OptionProps, 'className' | 'children'>): ReactNode {
  return (
    <ComboboxOption {...option} className="flex items-center gap-3 rounded-lg px-2.5 py-2">
      <span className="min-w-0 flex-1">
        <span className="block truncate">{hit.title}</span>
        {hit.detail !== '' && hit.detail !== hit.title && (
          <span className="block truncate text-soft">{hit.detail}</span>
        )}
      </span>
      <span className="text-xs text-soft">{texts.find.kinds[hit.kind]}</span>
    </ComboboxOption>
  )
}

/** The text for a search without results; for a complete email address, it says what it means that nobody has it. */
const nothingFound = (text: string) =>
  isWholeAddress(text) ? texts.find.nobody(text) : texts.find.nothing(text)

/** A hint before the search and a sentence if nothing was found; the number of results is for screen readers. */
function Status(props: { text: string; hits: number; settled: boolean }): ReactNode {
  const { text, hits, settled } = props
  return (
    <p role="status" className={cx('px-4 py-3 text-soft', hits > 0 && 'sr-only')}>
      {text === ''
        ? texts.find.hint
        : hits > 0
          ? texts.find.results(hits)
          : settled && nothingFound(text)}
    </p>
  )
}
