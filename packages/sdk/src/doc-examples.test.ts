import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import links from '../link-vectors.json' with { type: 'json' }
import signing from '../signing-vectors.json' with { type: 'json' }

/** The programs that run the languages of the pages, with their options. */
const PROGRAMS = {
  sh: ['sh', []],
  js: [process.execPath, ['--input-type=module']],
  python: ['python3', []],
  php: ['php', []],
  ruby: ['ruby', []],
} as const

type Language = keyof typeof PROGRAMS

interface DocPage {
  path: string
  languages: readonly Language[]
  /** The result that each example prints: that of the first vector. */
  made: string
  /** Only code that contains this is an example. */
  marked: string
}

const [header = ''] = signing.vectors[0]?.request.authorization ?? []

const PAGES: readonly DocPage[] = [
  {
    path: 'docs/sell/purchase-links.md',
    languages: ['js', 'python', 'php'],
    made: links.purchase_links[0]?.target ?? '',
    marked: '',
  },
  {
    path: 'docs/reference/signing.md',
    languages: ['sh', 'js', 'python', 'php', 'ruby'],
    made: header,
    marked: header.split(':')[0] ?? '',
  },
]

describe.each(PAGES)('the examples of $path', ({ path, languages, made, marked }) => {
  const page = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
  const examples = [...page.matchAll(/```(\w+)\n(.*?)```/gs)]
    .map(([, language = '', code = '']) => ({ language: language as Language, code }))
    .filter(({ language, code }) => languages.includes(language) && code.includes(marked))

  it(`are there for ${languages.length} languages`, () => {
    expect(made).not.toBe('')
    expect(examples.map(({ language }) => language)).toEqual(languages)
    expect(page).toContain(`\`${made}\``)
  })

  it.each(examples)(
    'make what the first vector says in $language, where it is installed',
    ({ language, code }) => {
      const [program, options] = PROGRAMS[language]
      const { error, stdout } = spawnSync(program, options, { input: code, encoding: 'utf8' })
      if (!error) expect(stdout.trim()).toBe(made)
      // Node is always installed.
      else expect(language).not.toBe('js')
    },
  )
})
