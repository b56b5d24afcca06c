import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { guidesFolder } from '../../../guides-folder.ts'
import { databases } from '../../../testing/databases.ts'
import { useService } from '../../../testing/use-service.ts'
import { openLibrary } from './library.ts'
import { renderGuide } from './markdown.ts'

/** The tests only read pages, so any database will do. */
const [database] = databases

const library = openLibrary(guidesFolder(), '/docs/guides')
const slugs = ['', ...library.sections.flatMap(({ guides }) => guides.map(({ slug }) => slug))]

describe('the guides', () => {
  const service = useService(database as never)
  const read = async (path: string) => {
    const response = await fetch(`${service.url}${path}`)
    return { response, page: await response.text() }
  }

  it('have their pages in the navigation', () => {
    expect(slugs).toEqual(expect.arrayContaining(['', 'start', 'run/backup', 'reference/errors']))
    expect(slugs.some((slug) => /decisions|internals/.test(slug))).toBe(false)
  })

  it('link to each other, to places that exist', async () => {
    const pages = new Map(slugs.map((slug) => [slug, library.find(slug)?.html.text ?? '']))
    const dead = [...pages].flatMap(([slug, page]) =>
      [...page.matchAll(/href="(?!https?:|mailto:)([^"#]*)(?:#([^"]+))?"/g)]
        .filter(([, path = '', anchor]) => {
          const target = path === '' ? slug : path.replace(/^\/docs\/guides\/?/, '')
          const found = library.find(target)?.html.text
          return found === undefined || (anchor !== undefined && !found.includes(`id="${anchor}"`))
        })
        .map(([link]) => `${slug}: ${link}`),
    )
    expect(dead).toEqual([])
  })

  it('run only their own script and style, and load nothing', async () => {
    const { response, page } = await read('/docs/guides/run/backup')
    expect(response.status).toBe(200)
    expect(page).toContain('<h1 id="back-up-and-restore">')
    const policy = response.headers.get('content-security-policy') ?? ''
    for (const tag of ['style', 'script']) {
      const found = [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))]
      expect(found).toHaveLength(1)
      const digest = createHash('sha256')
        .update(found[0]?.[1] ?? '')
        .digest('base64')
      expect(policy).toContain(`${tag}-src 'sha256-${digest}'`)
    }
    expect(policy).not.toContain('unsafe')
    expect(page).not.toMatch(/<link|<iframe|\sstyle=|\son\w+=/i)
    expect(policy).toContain("img-src 'self';")
    expect(page).not.toContain('<!--')
  })

  it('show their pictures, and serve no other file', async () => {
    const sources = slugs.flatMap((slug) => [
      ...(library.find(slug)?.html.text ?? '').matchAll(/<img src="([^"]+)" alt="([^"]+)"/g),
    ])
    expect(sources.length).toBeGreaterThan(10)
    for (const [, source = ''] of sources) {
      const response = await fetch(`${service.url}${source}`)
      expect([source, response.status]).toEqual([source, 200])
      expect(response.headers.get('content-type')).toBe('image/png')
      expect(
        Buffer.from(await response.arrayBuffer())
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG')
    }
    for (const path of ['dashboard/none.png', '..%2F/README.md', 'dashboard/..%2F..%2FREADME.md']) {
      expect((await read(`/docs/guides/images/${path}`)).response.status).toBe(404)
    }
  })

  it('answer 404 where there is none', async () => {
    for (const path of [
      'nothing',
      'decisions/0001-sqlite-and-postgresql',
      '..%2F..%2Fpackage.json',
    ]) {
      expect((await read(`/docs/guides/${path}`)).response.status).toBe(404)
    }
  })

  it('are found by their words, those in a title first', async () => {
    const [first] = library.search('Troubleshooting')
    expect(first?.slug).toBe('run/troubleshooting')
    expect(library.search('  ')).toEqual([])
    const { page } = await read('/docs/search?q=master+key')
    expect(page).toContain('href="/docs/guides/run/keys"')
    const nothing = await read(`/docs/search?q=${encodeURIComponent('<b>"nothing"')}`)
    expect(nothing.page).toContain('No guide has all of these words')
    expect(nothing.page).not.toContain('<b>')
  })
})

describe('a guide', () => {
  it('is rendered with links that are resolved, and without HTML of its own', () => {
    const text =
      '# A & B\n\n[two](../two.md#part) [away](../../x.md) <b>bold</b>\n\n<!-- run -->\n\n```sh\na < b\n```\n'
    const resolve = (file: string, anchor?: string) =>
      file === 'two.md' ? `/g/two#${anchor}` : undefined
    const { text: page } = renderGuide('run/one.md', text, resolve)
    expect(page).toContain('<h1 id="a--b">A &amp; B</h1>')
    expect(page).toContain('<a href="/g/two#part">two</a> away bold')
    expect(page).toContain('<code>a &lt; b</code>')
    expect(page).not.toMatch(/<b>|<!--/)
  })
})
