import { type ChangeEvent, type FormEvent, useState } from 'react'
import { ApiError } from '../../api.ts'
import { texts } from '../../texts.ts'

type Texts = Record<string, string>

interface Options<V> {
  /** Returns errors by field; called at each change. */
  check?: (values: V) => { readonly [K in keyof V]?: string | undefined }
  /** Its error is shown: at a field if the server named one, otherwise for the whole form. */
  send: (values: V) => Promise<unknown>
}

interface Binding {
  name: string
  value: string
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) => void
  onBlur: () => void
}

export interface Form<V extends Texts> {
  values: V
  set: (name: keyof V & string, value: string) => void
  /** Props for an input: `<TextInput {...form.bind('email')} />`. */
  bind: (name: keyof V & string) => Binding
  /** Props for an input that shows its error: `<TextField {...form.field('email')} label={…} />`. */
  field: (name: keyof V & string) => Binding & { error: string | undefined }
  /** The error to show at a field: only after the field was left with a value in it, or after a submit. */
  errorOf: (name: keyof V & string) => string | undefined
  /** The error of the form as a whole. */
  problem: string | undefined
  busy: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  reset: (values: V) => void
}

/** The message of an error, for people. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return texts.errors.unreadable
  if (error.retryAfter !== undefined && error.status === 429) {
    return texts.errors.tooMany(error.retryAfter)
  }
  return error.message
}

/** The duration of a click. */
const CLICK_MS = 150

/** The errors that a form shows: those of `check` once their field was left, and those that the server sent. */
function useFieldErrors<V extends Texts>(values: V, check: Options<V>['check']) {
  const wrong = (check?.(values) ?? {}) as Readonly<Record<string, string | undefined>>
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<{ readonly [name: string]: string }>({})
  return {
    hasErrors: Object.values(wrong).some((text) => text !== undefined),
    errorOf: (name: string) => refused[name] ?? (left.has(name) ? wrong[name] : undefined),
    leave: (names: readonly string[]) => setLeft((old) => new Set([...old, ...names])),
    refuse: (name: string, message: string) => setRefused({ [name]: message }),
    forgetRefused: (name: string) => setRefused(({ [name]: _, ...rest }) => rest),
    clear: () => {
      setLeft(new Set())
      setRefused({})
    },
  }
}

/** A form of text fields that validates while typing and keeps its values after an error. */
export function useForm<V extends Texts>(initial: V, { check, send }: Options<V>): Form<V> {
  const [values, setValues] = useState(initial)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const errors = useFieldErrors(values, check)

  const set = (name: keyof V & string, value: string) => {
    setValues((old) => ({ ...old, [name]: value }))
    errors.forgetRefused(name)
  }

  function failed(error: unknown) {
    const { field } = error instanceof ApiError ? error : {}
    if (field !== undefined && field in values) errors.refuse(field, errorMessage(error))
    else setProblem(errorMessage(error))
  }

  async function submit(form: HTMLFormElement) {
    errors.leave(Object.keys(values))
    setProblem(undefined)
    if (errors.hasErrors) return focusFirstError(form)
    setBusy(true)
    try {
      await send(values)
    } catch (error) {
      failed(error)
    }
    setBusy(false)
  }

  const bind = (name: keyof V & string): Binding => ({
    name,
    value: values[name] as string,
    onChange: ({ target }) => set(name, target.value),
    // Waits, because an error moves the content below: the click that left the field must hit its target first.
    // An empty field that is merely passed shows no error yet.
    onBlur: () => {
      if (`${initial[name]}${values[name]}` !== '') setTimeout(() => errors.leave([name]), CLICK_MS)
    },
  })

  return {
    values,
    set,
    bind,
    field: (name) => ({ ...bind(name), error: errors.errorOf(name) }),
    errorOf: errors.errorOf,
    problem,
    busy,
    onSubmit: (event) => {
      event.preventDefault()
      if (!busy) void submit(event.currentTarget)
    },
    reset: (next) => {
      setValues(next)
      errors.clear()
      setProblem(undefined)
    },
  }
}

function focusFirstError(form: HTMLFormElement): void {
  // Waits until the errors are rendered.
  setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}

/** For `check`: an error if the field is empty. */
export const required = (text: string): string | undefined =>
  text.trim() === '' ? texts.errors.required : undefined

export const emailProblem = (text: string): string | undefined =>
  required(text) ??
  (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim()) ? undefined : texts.errors.email)
