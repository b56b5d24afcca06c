/** Parameters as Stripe's libraries encode them: `a[b][0]=c` is `{ a: { b: { 0: 'c' } } }`. */
export interface Params {
  [name: string]: string | Params | undefined
}

export function parseForm(text: string): Params {
  const params: Params = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\]?\[|\]/).filter((part) => part !== '')
    const last = path.pop() as string
    let place = params
    for (const part of path) {
      place[part] ??= {}
      place = place[part] as Params
    }
    place[last] = value
  }
  return params
}

export const textAt = (params: Params, name: string): string | undefined => {
  const value = params[name]
  return typeof value === 'string' ? value : undefined
}

export const partAt = (params: Params, name: string): Params => {
  const value = params[name]
  return typeof value === 'object' ? value : {}
}

/** The values of a list, or of a mapping to strings. */
export const textsAt = (params: Params, name: string): Record<string, string> =>
  partAt(params, name) as Record<string, string>
