import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { StoreUnavailable } from '../../downloads/storage/storage.ts'
import { FileTooLarge, spoolFile } from './spool.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-spool-'))
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

async function* bytes() {
  yield Buffer.from('Email\n')
  yield Buffer.from('ann@example.com\n')
}

it('leaves nothing of a received file behind, also if it is too large', async () => {
  vi.stubEnv('TMPDIR', folder)
  const file = await spoolFile('the file', bytes(), 100)
  const read: Uint8Array[] = []
  for await (const chunk of file.bytes()) read.push(chunk)
  expect(Buffer.concat(read).toString()).toBe('Email\nann@example.com\n')
  await file.close()
  await expect(spoolFile('the file', bytes(), 10)).rejects.toThrow(FileTooLarge)
  expect(readdirSync(folder)).toEqual([])
})

it('says that there is nowhere to store it', async () => {
  vi.stubEnv('TMPDIR', join(folder, 'missing'))
  await expect(spoolFile('the file', bytes(), 100)).rejects.toThrow(StoreUnavailable)
})
