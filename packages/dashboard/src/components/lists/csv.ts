/** Where a spreadsheet would begin a formula: also after white space, with full-width signs and, in some locales, after a
 * semicolon. Quotes before it are those of an earlier sealing, so that an import can take this one away again. */
const FORMULA = /(?<=^|;)(?='*(?:\s*[=+\-@＝＋－＠]|[\t\r\n]))/gu

function cell(value: string | number, delimiter: string): string {
  const text = typeof value === 'string' ? value.replace(FORMULA, "'") : String(value)
  const isSpecial = text.includes(delimiter) || /["\n\r]/.test(text)
  return isSpecial ? `"${text.replaceAll('"', '""')}"` : text
}

/** Formats rows as CSV for spreadsheets, with formulas escaped. */
export function toCsv(rows: readonly (readonly (string | number)[])[], delimiter = ','): string {
  return rows.map((row) => `${row.map((one) => cell(one, delimiter)).join(delimiter)}\r\n`).join('')
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
