/** Where a spreadsheet would start a formula: also after white space, with full-width signs and, in some locales, after
 * a semicolon. */
const FORMULA = /^(?=[\t\r\n])|(?<=^|;)(?=\s*[=+\-@＝＋－＠])/gu

function cell(value: string | number): string {
  const text = typeof value === 'string' ? value.replace(FORMULA, "'") : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Formats rows as CSV for spreadsheets, with formulas escaped. */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** Saves a text as a file through the browser's downloads. */
export function saveFile(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
