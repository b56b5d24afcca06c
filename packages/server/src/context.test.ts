import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from './config/config.ts'
import { createContext } from './context.ts'
import { OperatorError } from './errors.ts'
import { databases } from './testing/databases.ts'
import { startTestService } from './testing/service.ts'

describe('the parts of a service', () => {
  let lived: string
  let folder: string
  beforeAll(async () => {
    const service = await startTestService(databases[0])
    await service.newApplication()
    lived = service.installation.env.GATEHOUSE_DATA as string
    await service.app.close()
    await service.ctx.close()
    return () => rmSync(lived, { recursive: true, force: true })
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-context-'))
    for (const name of readdirSync(lived)) copyFileSync(join(lived, name), join(folder, name))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  async function refusalOf(data = folder): Promise<string> {
    const opening = createContext(readConfig({ GATEHOUSE_DATA: data })).then((ctx) => ctx.close())
    const error = await opening.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(OperatorError)
    const { message } = error as OperatorError
    expect(message).not.toMatch(/[\r\n]/)
    return message
  }

  it('are not put together in a folder that is a file, or can’t be made or written', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    // Not even root can write to the last two.
    for (const data of [file, join(file, 'data'), '/proc/gatehouse', '/sys/kernel']) {
      const message = await refusalOf(data)
      expect(message).toContain('GATEHOUSE_DATA')
      expect(message).toContain(data)
    }
  })

  it('are all closed, even if one of them can’t be', async () => {
    const ctx = await createContext(readConfig({ GATEHOUSE_DATA: folder }))
    const { production, sandbox } = ctx.environments
    const closeControl = ctx.control.close
    ctx.control.close = async () => {
      await closeControl()
      throw new Error('no room')
    }
    await expect(ctx.close()).rejects.toThrow('no room')
    for (const { ping } of [production.database, sandbox.database])
      await expect(ping()).rejects.toThrow()
  })

  it('are not put together over a database of another kind or time', async () => {
    copyFileSync(join(folder, 'production.sqlite'), join(folder, 'control.sqlite'))
    expect(await refusalOf()).toContain(join(folder, 'control.sqlite'))
    copyFileSync(join(lived, 'control.sqlite'), join(folder, 'control.sqlite'))
    const file = new DatabaseSync(join(folder, 'sandbox.sqlite'))
    file.exec("insert into migrations (name, applied) values ('9999_later', 1)")
    file.close()
    expect(await refusalOf()).toContain('sandbox.sqlite was written by a newer Gatehouse')
  })

  const damages: [string, (path: string) => void][] = [
    ['is missing', (path) => rmSync(path)],
    ['is damaged', (path) => writeFileSync(path, '')],
    ['is damaged', (path) => truncateSync(path, 20)],
    ['is damaged', (path) => writeFileSync(path, 'hello')],
    ['can be read by others', (path) => chmodSync(path, 0o644)],
  ]
  it.each(damages)('are not put together when the master key %s', async (said, damage) => {
    const path = join(folder, 'master.key')
    const key = readFileSync(path, 'utf8').trim()
    damage(path)
    const message = await refusalOf()
    expect(message).toContain(`the master key ${path} ${said}`)
    expect(message).not.toContain(key)
  })
})
