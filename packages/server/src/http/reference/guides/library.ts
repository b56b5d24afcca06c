import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Html } from '../../pages/html.ts'
import { renderGuide } from './markdown.ts'

/** Pages for people who change Gatehouse, which only a clone has. */
const INTERNAL = /^(decisions|internals)\//
const INDEX = 'README.md'
/** The folder of the pictures, and what a picture's path looks like. */
export const PICTURES = 'images'
const PICTURE = /^images\/.*\.png$/

export interface Guide {
  /** Where it is below the guides: `run/backup`; empty for the first page. */
  slug: string
  title: string
  html: Html
  /** Its words, in lower case, for the search. */
  words: string
}

/** A group of guides in the navigation. */
export interface Section {
  title: string
  guides: Guide[]
}

export interface Library {
  find(slug: string): Guide | undefined
  sections: readonly Section[]
  /** The guides that contain all of these words, those with one in the title first. */
  search(query: string): Guide[]
  /** Returns the path of a picture, `dashboard/01-account.png`, if the guides have it. */
  findPicture(name: string): string | undefined
}

const slugOf = (file: string) => file.replace(/\.md$/, '').replace(/(^|\/)README$/, '')

const plainWords = (text: string) =>
  text
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/\]\([^)]*\)/g, ' ')
    .toLowerCase()

/** Reads and renders all guides of a folder. `base` is the path of the first page. */
export function openLibrary(folder: string, base: string): Library {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
    file.replaceAll(sep, '/'),
  )
  const files = all.filter((file) => file.endsWith('.md') && !INTERNAL.test(file))
  const pictures = new Set(all.filter((file) => PICTURE.test(file)))
  const known = new Set(files)
  const addressOf = (file: string) => `${base}/${slugOf(file)}`.replace(/\/$/, '')
  const resolve = (file: string, anchor: string | undefined) => {
    if (pictures.has(file)) return `${base}/${file}`
    return known.has(file)
      ? `${addressOf(file)}${anchor === undefined ? '' : `#${anchor}`}`
      : undefined
  }
  const guides = new Map(
    files.map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const title = /^# (.+)$/m.exec(text)?.[1] ?? file
      const html = renderGuide(file, text, resolve)
      return [slugOf(file), { slug: slugOf(file), title, html, words: plainWords(text) }]
    }),
  )
  return {
    find: (slug) => guides.get(slug),
    sections: sectionsOf(readFileSync(join(folder, INDEX), 'utf8'), guides),
    search: (query) => searchIn([...guides.values()], query),
    findPicture: (name) =>
      pictures.has(`${PICTURES}/${name}`) ? join(folder, PICTURES, name) : undefined,
  }
}

/** The first page is also the order of the navigation. */
function sectionsOf(index: string, guides: ReadonlyMap<string, Guide>): Section[] {
  const parts = index.split(/^## /m).slice(1)
  const sections = parts.map((part) => ({
    title: part.split('\n', 1)[0] ?? '',
    guides: [...part.matchAll(/^- \[[^\]]+\]\(([^)#]+)\)/gm)]
      .map((match) => guides.get(slugOf(match[1] ?? '')))
      .filter((guide) => guide !== undefined),
  }))
  return sections.filter((section) => section.guides.length > 0)
}

const MAX_WORDS = 10

function searchIn(guides: readonly Guide[], query: string): Guide[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS)
  if (words.length === 0) return []
  const found = guides.filter((guide) => words.every((word) => guide.words.includes(word)))
  const isTitled = ({ title }: Guide) =>
    words.some((word) => title.toLowerCase().includes(word)) ? 0 : 1
  return found.toSorted((a, b) => isTitled(a) - isTitled(b))
}
