import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { type FailureCode, fail } from '../../errors.ts'
import { anchorOf } from './guides/markdown.ts'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const unique = (names: readonly string[]) => [...new Set(names)].sort()
const allOf = (text: string, pattern: RegExp) =>
  unique([...text.matchAll(pattern)].map((match) => match[1] as string))

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...['express', 'hono', 'next', 'php', 'python'].map((it) => `examples/paywall-${it}/README.md`),
  'packages/sdk/README.md',
  'packages/server/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
]

const withoutCode = (text: string) => text.replace(/```[\s\S]*?```/g, '')

function anchorsIn(path: string): string[] {
  return [...withoutCode(read(path)).matchAll(/^#+ (.+)$/gm)].map((match) =>
    anchorOf(match[1] as string),
  )
}

/** Returns the broken links of a page. */
function deadLinks(page: string): string[] {
  const links = [...withoutCode(read(page)).matchAll(/\]\(([^)]+)\)/g)].map(
    (match) => match[1] as string,
  )
  return links.filter((link) => {
    if (/^https?:/.test(link)) return false
    const [file = '', anchor] = link.split('#')
    const path = file === '' ? page : relative(root, join(root, dirname(page), file))
    if (!existsSync(join(root, path))) return true
    return anchor !== undefined && !anchorsIn(path).includes(anchor)
  })
}

describe('the documents', () => {
  it.each(PAGES)('%s has no link that leads nowhere', (page) => {
    expect(deadLinks(page)).toEqual([])
  })

  it('explain every setting, and no other', () => {
    const asked: string[] = []
    const remember = (_: object, name: string) => {
      asked.push(name)
      return undefined
    }
    readConfig(new Proxy({}, { get: remember as never }))
    const settings = unique(asked).filter((name) => name.startsWith('GATEHOUSE_'))
    // The variables of OpenTelemetry are documented with traces.
    for (const name of asked.filter((one) => !settings.includes(one))) {
      expect(read('docs/run/monitoring.md')).toContain(`\`${name}\``)
    }
    expect(settings.length).toBeGreaterThan(20)
    expect(
      allOf(read('docs/reference/configuration.md'), /^\| `(GATEHOUSE_[A-Z0-9_]+)` \|/gm),
    ).toEqual(settings)
    expect(allOf(read('.env.example'), /^#(GATEHOUSE_[A-Z0-9_]+)=/gm)).toEqual(settings)
  })

  it('list every failure with its status, and no other', () => {
    const rows = [...read('docs/reference/errors.md').matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)]
    const codes = rows.map((row) => row[2] as FailureCode)
    expect(unique(codes)).toEqual(allOf(read('packages/server/src/errors.ts'), /^ {2}(\w+): \[/gm))
    expect(codes).toHaveLength(new Set(codes).size)
    expect(rows.map((row) => Number(row[1]))).toEqual(codes.map((code) => fail(code).status))
  })

  it('list every decision in their index', () => {
    const pages = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d/.test(name))
    expect(allOf(read('docs/decisions/README.md'), /\((\d{4}-[a-z0-9-]+\.md)\)/g)).toEqual(
      pages.sort(),
    )
  })
})
