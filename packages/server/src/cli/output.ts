import Table from 'cli-table3'

/** Whether a command prints its data as JSON for programs or as text for people. */
export interface Output {
  json?: boolean | undefined
}

export function print(output: Output, data: unknown, forPeople: () => string): void {
  process.stdout.write(`${output.json ? JSON.stringify(data, null, 2) : forPeople()}\n`)
}

/** Returns `none` if there are no rows. */
export function formatTable(head: string[], rows: unknown[][], none: string): string {
  if (rows.length === 0) return none
  const drawn = new Table({
    head,
    style: { head: [], border: [] },
    chars: PLAIN,
  })
  for (const row of rows) drawn.push(row.map(oneLine))
  return drawn.toString().replace(/ +$/gm, '')
}

/** Replaces control characters: external text must not move the cursor or start a new line. */
export const oneLine = (value: unknown) => String(value ?? '').replace(/\p{Cc}+/gu, ' ')

/** No borders, so that scripts can search and cut the columns. */
const PLAIN = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' ',
}

/** Formats names and values, one pair per line. */
export function formatRecord(fields: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length))
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${oneLine(value)}`.trimEnd())
    .join('\n')
}
