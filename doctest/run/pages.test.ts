import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Block, blocksOf, listPages, placeOf } from '../blocks.ts'
import { copyInstallation, type InstallationCopy } from './installation.ts'
import { runnable, Session } from './session.ts'

const pages = listPages()
  .map((page) => ({ page, blocks: runnable(blocksOf(page)) }))
  .filter(({ blocks }) => blocks.length > 0)

/** Runs all commands and programs on the pages, as a reader would who types them in order. */
describe('the code on the pages, run', () => {
  let installation: InstallationCopy
  let session: Session | undefined

  beforeAll(async () => {
    installation = await copyInstallation()
  })
  afterEach(() => session?.stop())
  afterAll(() => installation?.remove())

  async function runBlock(one: Session, block: Block): Promise<void> {
    const output = await one.run(block).catch((error: Error) => {
      throw new Error(`${placeOf(block)}: ${error.message}`)
    })
    const expected = (block.notes.prints ?? '').split('\n').filter((line) => line !== '')
    const printed = output.split('\n').filter((line) => expected.includes(line))
    expect(printed, `${placeOf(block)} printed ${output}`).toEqual(expected)
  }

  it.each(pages)('$page', async ({ blocks }) => {
    session = new Session(installation.folder)
    await session.prepare(blocks)
    for (const block of blocks) await runBlock(session, block)
  })
})
