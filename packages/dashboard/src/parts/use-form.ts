import { type ChangeEvent, type FormEvent, useState } from 'react'
import { ApiError } from '../api.ts'
import { texts } from '../texts.ts'

type Texts = Record<string, string>

interface Options<V> {
  /** What is wrong, by field; asked at each change. */
  check?: (values: V) => { readonly [K in keyof V]?: string | undefined }
  /** What it throws is shown: at its field where the server named one. */
  send: (values: V) => Promise<unknown>
}

export interface Form<V extends Texts> {
  values: V
  set: (name: keyof V & string, value: string) => void
  /** For an input: `<TextInput {...form.bind('email')} />`. */
  bind: (name: keyof V & string) => {
    name: string
    value: string
    onChange: (
      event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>,
    ) => void
    onBlur: () => void
  }
  /** To be shown at the field now: not before it was left with something in it, or all was sent. */
  errorOf: (name: keyof V & string) => string | undefined
  /** What went wrong with the whole. */
  problem: string | undefined
  busy: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  reset: (values: V) => void
}

/** What an error says to people. */
export function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return texts.errors.unreadable
  if (error.retryAfter !== undefined && error.status === 429) {
    return texts.errors.tooMany(error.retryAfter)
  }
  return error.message
}

/** As long as a click takes. */
const CLICK_MS = 150

/** A form of text fields that checks as one types and keeps what was typed. */
export function useForm<V extends Texts>(initial: V, { check, send }: Options<V>): Form<V> {
  const [values, setValues] = useState(initial)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<{ readonly [name: string]: string }>({})
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const wrong = (check?.(values) ?? {}) as Readonly<Record<string, string | undefined>>

  const set = (name: keyof V & string, value: string) => {
    setValues((old) => ({ ...old, [name]: value }))
    setRefused(({ [name]: _, ...rest }) => rest)
  }
  const leave = (name: string) => setLeft((old) => new Set([...old, name]))

  function failed(error: unknown) {
    const { field } = error instanceof ApiError ? error : {}
    if (field !== undefined && field in values) setRefused({ [field]: problemOf(error) })
    else setProblem(problemOf(error))
  }

  async function submit(form: HTMLFormElement) {
    setLeft(new Set(Object.keys(values)))
    setProblem(undefined)
    if (Object.values(wrong).some((text) => text !== undefined)) {
      // After the errors are there.
      setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
      return
    }
    setBusy(true)
    try {
      await send(values)
    } catch (error) {
      failed(error)
    } finally {
      setBusy(false)
    }
  }

  return {
    values,
    set,
    bind: (name) => ({
      name,
      value: values[name] as string,
      onChange: ({ target }) => set(name, target.value),
      // An error moves what stands below it: not before the click that left the field has hit something.
      // Whoever has yet to fill a field in needs not be told so for passing by.
      onBlur: () => {
        if (`${initial[name]}${values[name]}` !== '') setTimeout(() => leave(name), CLICK_MS)
      },
    }),
    errorOf: (name) => refused[name] ?? (left.has(name) ? wrong[name] : undefined),
    problem,
    busy,
    onSubmit: (event) => {
      event.preventDefault()
      if (!busy) void submit(event.currentTarget)
    },
    reset: (next) => {
      setValues(next)
      setLeft(new Set())
      setRefused({})
      setProblem(undefined)
    },
  }
}

/** For `check`: what a field needs. */
export const required = (text: string): string | undefined =>
  text.trim() === '' ? texts.errors.required : undefined

export const emailProblem = (text: string): string | undefined =>
  required(text) ??
  (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim()) ? undefined : texts.errors.email)
