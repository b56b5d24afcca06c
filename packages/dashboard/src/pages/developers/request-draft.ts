import type { ApiCall, ApiCallParameter, Method } from './openapi.ts'

/** A parameter typed by hand. */
export interface CustomParameter {
  id: number
  name: string
  value: string
}

/** The request being edited. */
export interface RequestDraft {
  /** Undefined for a typed path. */
  call: ApiCall | undefined
  method: Method
  path: string
  /** Values by parameter name, for a known call; kept when switching between calls. */
  values: Readonly<Record<string, string>>
  /** The optional parameters that are shown, in order. */
  added: readonly string[]
  /** The parameters of a typed path. */
  typed: readonly CustomParameter[]
}

export const EMPTY_DRAFT: RequestDraft = {
  call: undefined,
  method: 'GET',
  path: '/r2/',
  values: {},
  added: [],
  typed: [],
}

/** The parameters that currently have a field. */
export function visibleParameters({ call, added }: RequestDraft): ApiCallParameter[] {
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

/** The request body for the console route. Empty fields of a known call are left out. */
export function toRequest(draft: RequestDraft): Request {
  const { call, method, path, values, typed } = draft
  if (call === undefined) {
    const named = typed.filter(({ name }) => name !== '')
    const parameters = Object.fromEntries(named.map(({ name, value }) => [name, value]))
    return { method, path: path.trim(), parameters }
  }
  const shown = visibleParameters(draft)
  const filled = shown.filter((one) => one.in === 'query' && (values[one.name] ?? '') !== '')
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => escaped(values[name] ?? '')),
    parameters: Object.fromEntries(filled.map(({ name }) => [name, values[name] as string])),
  }
}

/** Switches to another call. Values are kept for parameters of the same name; a typed path starts as the request that
 * the previous call would have sent. */
export function withCall(draft: RequestDraft, call: ApiCall | undefined): RequestDraft {
  if (call === undefined) {
    const { method, path, parameters } = toRequest(draft)
    const typed = Object.entries(parameters).map(([name, value], id) => ({ id, name, value }))
    return { ...draft, call, method, path, typed }
  }
  const filled = call.parameters.filter(
    ({ name, required }) => !required && (draft.values[name] ?? '') !== '',
  )
  return {
    ...draft,
    call,
    method: call.method,
    path: call.path,
    added: filled.map(({ name }) => name),
  }
}
