import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Notes are HTML comments directly above a fenced block, which readers don't see:
 *
 * - `not run: REASON`: the block can't run in a test.
 * - `keeps running after: TEXT`: a command that doesn't end. It runs until the end of the page; the next block waits
 *   until the output has TEXT.
 * - `from: PATH`: the block is a verbatim part of this file, which has tests of its own.
 * - `prints: LINES`: the output has these lines, in this order.
 * - `setup: COMMANDS`: shell commands to run before the block. A variable that is set here, such as `PAYMENT=…`, is
 *   the value of the word PAYMENT in the blocks that follow.
 * - `given: CODE`: declarations that the TypeScript and JavaScript of the page take for granted.
 */
const NOTES = ['not run', 'keeps running after', 'from', 'prints', 'setup', 'given'] as const
export type Note = (typeof NOTES)[number]

export interface Block {
  /** The path of the page, from the root of the repository. */
  page: string
  /** The line of the page on which the code starts. */
  line: number
  language: string
  code: string
  notes: Partial<Record<Note, string>>
}

const FOLDERS = ['docs', 'packages', 'examples']
const SKIPPED = /(^|\/)(node_modules|dist)\//

/** The pages that people read, from the root of the repository. */
export function listPages(): string[] {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path}`,
    ),
  )
  const pages = [...readdirSync(root), ...below].filter((path) => path.endsWith('.md'))
  return pages.filter((path) => !SKIPPED.test(path)).sort()
}

const COMMENT = String.raw` *<!--(?:(?!-->)[\s\S])*-->\n(?:\s*\n)?`
const FENCED = new RegExp(String.raw`^((?:${COMMENT})*)( *)\`\`\`(\w*)\n([\s\S]*?)^\2\`\`\`$`, 'gm')

/** Returns the fenced blocks of a page in order. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(FENCED)].map((match) => {
    const [, comments = '', indent = '', language = '', code = ''] = match
    const before = text.slice(0, match.index) + comments
    return {
      page,
      line: before.split('\n').length + 1,
      language,
      code: code.replace(new RegExp(`^${indent}`, 'gm'), ''),
      notes: notesIn(comments, page),
    }
  })
}

function notesIn(comments: string, page: string): Block['notes'] {
  const notes: Block['notes'] = {}
  for (const [, comment = ''] of comments.matchAll(/<!--\s*([\s\S]*?)\s*-->/g)) {
    const [, name = '', value = ''] = /^([a-z ]+):\s*([\s\S]*)$/.exec(comment) ?? []
    if (!(NOTES as readonly string[]).includes(name)) {
      throw new Error(`${page}: unknown note above a block: <!-- ${comment} -->`)
    }
    notes[name as Note] = value
  }
  return notes
}

/** Where a block is, for messages. */
export const placeOf = ({ page, line }: Block) => `${page}:${line}`

/** Whether the block is code that runs by itself. */
export const isRun = ({ notes }: Block) =>
  notes['not run'] === undefined && notes.from === undefined
