import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { watchProcess } from '../downloads/watch.ts'
import { issueOf, personOf } from './crowd.ts'
import { formatted, type Stage } from './stage.ts'

/** How many rows of the imported file have each outcome. */
const ROWS = { New: 500, Extended: 200, Unchanged: 200, Refused: 100 }

/** An export is written page by page. The heap of a process also grows by what it has not collected yet. */
const MAX_EXPORT_MB = 150

/** A list as another shop exports it: the product has to be told what one of its columns holds. */
function importedFile(people: number) {
  const line = (email: string, first: string, last: string, product: string, until: string) =>
    [email, first, last, product, until].join(';')
  const numbers = (count: number, kind: number) =>
    Array.from(
      { length: count },
      (_, i) => (i * Math.floor(people / count / 10) * 10 + kind) % people,
    )
  const of = (n: number, until: string) => {
    const { email, first, last } = personOf(n)
    return line(email, first, last, issueOf(n).name, until)
  }
  const rows = [
    ...Array.from({ length: ROWS.New }, (_, i) =>
      line(`newcomer${i}@example.org`, 'Nina', `Newcomer ${i}`, 'Issue 1', '31.12.2037'),
    ),
    ...numbers(ROWS.Extended, 9).map((n) => of(n, '31.12.2098')),
    ...numbers(ROWS.Unchanged, 6).map((n) => of(n, '')),
    ...Array.from({ length: ROWS.Refused }, (_, i) =>
      line(`refused${i}@example.org`, '', '', 'No such thing', ''),
    ),
  ]
  const text = ['E-Mail;Vorname;Nachname;Ware;gültig bis', ...rows, ''].join('\r\n')
  return { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
}

async function readLines(path: string): Promise<{ count: number; has(text: string): boolean }> {
  const lines: string[] = []
  for await (const line of createInterface({ input: createReadStream(path) })) lines.push(line)
  return { count: lines.length, has: (text) => lines.some((line) => line.includes(text)) }
}

/** Saves the export of a list, and returns it with the memory that the server took for it. */
async function saveExport(stage: Stage, list: string) {
  const { open, page, button, stopwatch } = stage
  const server = watchProcess(stage.server.pid)
  await open(list)
  await stage.row('').first().waitFor()
  server.peak()
  const before = server.memory()
  await button('Export').click()
  const saving = page().waitForEvent('download')
  const path = await stopwatch.time(`${list}: export of all rows`, async () => {
    await page()
      .getByRole('menuitem', { name: /^For a spreadsheet This list/ })
      .click()
    return await (await saving).path()
  })
  const grown = server.peak() - before
  const memory = `the server had ${before.toFixed(0)} MB, and took ${grown.toFixed(0)} MB more`
  console.info(`export of ${list}: ${memory}`)
  return { ...(await readLines(path)), grown }
}

/** Imports the file up to its preview, which changes nothing. */
async function previewImport(stage: Stage): Promise<void> {
  const { open, page, button, shown } = stage
  await open('access/import')
  await page().locator('input[type=file]').setInputFiles(importedFile(stage.people))
  await shown('Choose a resource for all rows, or the column that names it.')
  await page().getByLabel('What “Ware” holds').selectOption('resource')
  await stage.stopwatch.time('import: preview of 1,000 rows', async () => {
    await button('Check what changes').click()
    await shown('list.csv: 1,000 rows. Nothing has changed yet.')
  })
  for (const [outcome, count] of Object.entries(ROWS)) {
    await button(`${outcome} ${formatted(count)}`).waitFor()
  }
}

async function applyImport(stage: Stage): Promise<void> {
  const { page, button, shown } = stage
  const changed = ROWS.New + ROWS.Extended
  await page().getByRole('radio', { name: 'Send no emails' }).click()
  await stage.stopwatch.time(`import: ${changed} changed rows`, async () => {
    await button(`Import ${changed} rows`).click()
    await shown(`${changed} rows imported, ${ROWS.Unchanged} unchanged, ${ROWS.Refused} refused.`)
  })
}

export function walkFiles(stage: Stage): void {
  const { people, middle, number } = stage

  it.each(['people', 'payments', 'subscriptions'])(
    'exports all %s, within bounded memory',
    async (list) => {
      const file = await saveExport(stage, list)
      const table = list === 'people' ? 'users' : list
      expect(file.count - 1).toBe(await number(`select count(*) from ${table} where aid = $aid`))
      expect(file.has(`${middle.email},${middle.first},${middle.last}`)).toBe(true)
      expect(file.grown).toBeLessThan(MAX_EXPORT_MB)
    },
  )

  it('previews the import of a file, and does exactly what it said', async () => {
    const access = 'select count(*) from access where aid = $aid'
    const before = await number(access)
    await previewImport(stage)
    expect(await number(access)).toBe(before)
    await applyImport(stage)
    expect(await number(access)).toBe(before + ROWS.New)
    const end = Date.parse('2098-12-31T23:59:59Z') / 1000
    expect(await number(`${access} and ends = ${end}`)).toBe(ROWS.Extended)
    expect(await number(`select count(*) from users where aid = $aid`)).toBe(people + ROWS.New)
    await stage.open('people?q=newcomer250@example.org')
    await stage.total(1)
    await stage.row('Nina Newcomer 250').waitFor()
  })
}
