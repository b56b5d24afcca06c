import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Block, blocksOf, isRun, listPages, placeOf, root } from './blocks.ts'
import { typeErrors } from './types.ts'

/** The languages of blocks that `npm run test:docs` runs. */
const RUN = ['sh', 'js', 'python', 'php', 'ruby', 'go']
/** The languages of blocks that are checked here. */
const CHECKED = ['ts', 'js', 'json']
/** Output, diagrams and configuration of other programs: nothing that we could run. */
const SHOWN = ['', 'text', 'mermaid', 'nginx', 'ini', 'dockerfile', 'yaml', 'sql', 'csv', 'html']

const pages = new Map(listPages().map((page) => [page, blocksOf(page)]))
const blocks = [...pages.values()].flat()
const inLanguage = (language: string) =>
  blocks.filter((block) => block.language === language && isRun(block))

/** The places in a script at which it runs the command: at the beginning of a line, or after a sign of the shell. */
const callsIn = (code: string) =>
  [...code.matchAll(/(?:^|[|;(&]) *((?:npx )?gatehouse) [a-z]/gm)].map(([, call = '']) => call)

function isJson({ code }: Block): boolean {
  try {
    JSON.parse(code)
    return true
  } catch {
    return false
  }
}

describe('the code on the pages', () => {
  it('is found on all of them', () => {
    expect([...pages.keys()]).toEqual(
      expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/paywall/README.md']),
    )
    const fences = [...pages.keys()].map((page) =>
      readFileSync(join(root, page), 'utf8').match(/^ *```/gm),
    )
    expect(2 * blocks.length).toBe(fences.flatMap((found) => found ?? []).length)
  })

  it('is in languages that are checked or run, or is only shown', () => {
    const known = [...RUN, ...CHECKED, ...SHOWN]
    const isKnown = (block: Block) =>
      known.includes(block.language) || block.notes.from !== undefined
    expect(blocks.filter((block) => !isKnown(block)).map(placeOf)).toEqual([])
  })

  it('has a reason wherever it is not run', () => {
    const silent = blocks.filter(({ notes }) => notes['not run'] === '')
    expect(silent.map(placeOf)).toEqual([])
  })

  it('calls the command as the readers of the page do: with npx in a clone, without on a production machine', () => {
    const isForOperators = ({ page }: Block) => page.startsWith('docs/run/')
    const shell = blocks.filter(({ language }) => language === 'sh')
    const wrong = shell.filter((block) =>
      callsIn(block.code).some((call) => call.startsWith('npx') === isForOperators(block)),
    )
    expect(shell.flatMap(({ code }) => callsIn(code)).length).toBeGreaterThan(100)
    expect(wrong.map(placeOf)).toEqual([])
  })

  it('is named in the text without npx, except where that is explained', () => {
    const naming = [...pages.keys()].filter((page) =>
      readFileSync(join(root, page), 'utf8').includes('`npx gatehouse'),
    )
    expect(naming).toEqual([
      ...['docs/reference/command-line.md', 'docs/run/README.md', 'docs/start/README.md'],
    ])
  })

  it('is the same as the file that it is from', () => {
    const differs = ({ code, notes: { from = '' } }: Block) =>
      !`\n${readFileSync(join(root, from), 'utf8')}`.includes(`\n${code}`)
    const copies = blocks.filter(({ notes }) => notes.from !== undefined)
    expect(copies.filter(differs).map(placeOf)).toEqual([])
  })

  it('is JSON where it says so', () => {
    const broken = inLanguage('json').filter((block) => !isJson(block))
    expect(broken.map(placeOf)).toEqual([])
  })

  it('has the right types, strictly in TypeScript', () => {
    expect(typeErrors(pages)).toEqual([])
  })
})
