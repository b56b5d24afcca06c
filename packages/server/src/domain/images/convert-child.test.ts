import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CONVERTER, spawnRestricted } from './convert-child.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-data-'))
  writeFileSync(join(folder, 'master.key'), 'the master key\n', { mode: 0o600 })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs code in a process like that of the converter. Returns what it has logged, or the code of its error. */
async function attempt(code: string, ...args: string[]): Promise<string> {
  const program = `try { console.log(${code}) } catch (error) { console.log(error.code) }`
  const child = spawnRestricted(['-e', program, ...args], 20_000)
  child.stdin.end()
  return (await text(child.stdout)).trim()
}

const read = "require('node:fs').readFileSync(process.argv[1], 'utf8').length"
const DENIED = 'ERR_ACCESS_DENIED'

it('the process that converts images reads its own program, and no key, settings or other process', async () => {
  expect(Number(await attempt(read, CONVERTER))).toBeGreaterThan(1_000)
  expect(await attempt(read, join(folder, 'master.key'))).toBe(DENIED)
  expect(await attempt(read, join(folder, '.env'))).toBe(DENIED)
  expect(await attempt(read, `/proc/${process.pid}/environ`)).toBe(DENIED)
  expect(await attempt(`require('node:fs').readdirSync(process.argv[1])`, folder)).toBe(DENIED)
})

it('it writes nothing, and starts nothing', async () => {
  const write = `require('node:fs').writeFileSync(process.argv[1], 'x')`
  expect(await attempt(write, join(folder, 'new'))).toBe(DENIED)
  expect(await attempt(write, CONVERTER)).toBe(DENIED)
  expect(await attempt("require('node:child_process').execFileSync('id')")).toBe(DENIED)
  expect(await attempt("new (require('node:worker_threads').Worker)('1', { eval: true })")).toBe(
    DENIED,
  )
})

it('it has none of our settings', async () => {
  expect(await attempt('Object.keys(process.env).join()')).toBe('VIPS_CONCURRENCY')
})
