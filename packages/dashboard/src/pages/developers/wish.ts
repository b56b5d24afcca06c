import type { Call, CallParameter, Method } from './contract.ts'

/** A parameter that somebody has typed themselves. */
export interface Typed {
  id: number
  name: string
  value: string
}

/** What is about to be sent. */
export interface Wish {
  /** Undefined for a path that is typed. */
  call: Call | undefined
  method: Method
  path: string
  /** By name, of a call that we know; kept from one call to the next. */
  values: Readonly<Record<string, string>>
  /** The optional ones that are shown, in order. */
  added: readonly string[]
  /** For a path that is typed. */
  typed: readonly Typed[]
}

export const FREE_WISH: Wish = {
  call: undefined,
  method: 'GET',
  path: '/r2/',
  values: {},
  added: [],
  typed: [],
}

/** Those that have a field now. */
export function shownParameters({ call, added }: Wish): CallParameter[] {
  return (call?.parameters ?? []).filter(({ name, required }) => required || added.includes(name))
}

interface Request {
  method: Method
  path: string
  parameters: Record<string, string>
}

const escaped = (value: string) =>
  encodeURIComponent(value).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** What the API of the console takes. An empty field of a known call is left out. */
export function requestOf(wish: Wish): Request {
  const { call, method, path, values, typed } = wish
  if (call === undefined) {
    const named = typed.filter(({ name }) => name !== '')
    const parameters = Object.fromEntries(named.map(({ name, value }) => [name, value]))
    return { method, path: path.trim(), parameters }
  }
  const shown = shownParameters(wish)
  const filled = shown.filter((one) => one.in === 'query' && (values[one.name] ?? '') !== '')
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => escaped(values[name] ?? '')),
    parameters: Object.fromEntries(filled.map(({ name }) => [name, values[name] as string])),
  }
}

/** Another call. What was typed stays where the new one has a parameter of that name; a path that is
 * typed begins as what the call before would have sent. */
export function withCall(wish: Wish, call: Call | undefined): Wish {
  if (call === undefined) {
    const { method, path, parameters } = requestOf(wish)
    const typed = Object.entries(parameters).map(([name, value], id) => ({ id, name, value }))
    return { ...wish, call, method, path, typed }
  }
  const filled = call.parameters.filter(
    ({ name, required }) => !required && (wish.values[name] ?? '') !== '',
  )
  return {
    ...wish,
    call,
    method: call.method,
    path: call.path,
    added: filled.map(({ name }) => name),
  }
}
