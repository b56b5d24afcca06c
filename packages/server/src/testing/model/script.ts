/** The values of an operation, by name. `@label` is the uid that an earlier operation has returned: labels stay valid
 * when other lines of a script are removed. */
export type Args = Readonly<Record<string, string>>

/** One concrete step of a history. */
export interface Operation {
  /** Later operations refer to its result by this label. */
  label?: string | undefined
  name: string
  args: Args
}

const PLAIN = /^[^\s"=]+$/

const writeValue = (value: string) => (PLAIN.test(value) ? value : JSON.stringify(value))

/** For example `c3: buy app=a rid=r1 ref=ann`. */
export function writeOperation({ label, name, args }: Operation): string {
  const values = Object.entries(args).map(([key, value]) => `${key}=${writeValue(value)}`)
  return [...(label === undefined ? [] : [`${label}:`]), name, ...values].join(' ')
}

export const writeScript = (operations: readonly Operation[]): string =>
  operations.map((one) => `  ${writeOperation(one)}\n`).join('')

const WORD = /([a-z_]+)=("(?:[^"\\]|\\.)*"|\S+)/g

function readOperation(line: string): Operation {
  const [, label, name, rest = ''] = /^(?:(\w+): )?([a-z-]+)(.*)$/.exec(line) ?? []
  if (name === undefined) throw new Error(`not an operation: ${line}`)
  const args: Record<string, string> = {}
  for (const [, key = '', value = ''] of rest.matchAll(WORD)) {
    args[key] = value.startsWith('"') ? (JSON.parse(value) as string) : value
  }
  return { label, name, args }
}

/** Skips empty lines and lines that begin with `#`. */
export const readScript = (text: string): Operation[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(readOperation)
