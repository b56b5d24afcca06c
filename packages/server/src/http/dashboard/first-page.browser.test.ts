import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { useDashboard } from '../../testing/browser/dashboard-browser.ts'
import { useFixture } from '../../testing/fixtures.ts'
import { findAppFolder } from './static.ts'

const MAX_FIRST_PAGE = 250_000

describe('the first page', () => {
  const server = useDashboard()
  const app = useFixture(() => server.service.newApplication())
  beforeAll(async () => {
    await app.addResource('news')
    await app.client.grantAccess({ rid: 'news', user_ref: 'ann', email: 'ann@example.com' })
  })

  /** Lists all files a browser loads, from the page itself until its numbers are shown. */
  async function loadedFiles(): Promise<string[]> {
    const { page, open } = await server.staffBrowser('owner')
    await open(app, '')
    await page.getByRole('link', { name: /^Live access/ }).waitFor()
    const addresses = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    )
    const paths = addresses.map((address) => new URL(address).pathname.replace('/dashboard/', ''))
    return ['index.html', ...new Set(paths)].filter((path) => !path.startsWith('api/'))
  }

  const contentOf = (file: string) => readFileSync(join(findAppFolder() as string, file))

  it('is under 250 kB, compressed by gzip, and has its numbers after one script', async () => {
    const files = await loadedFiles()
    const sizes = files.map((file) => gzipSync(contentOf(file), { level: 9 }).length)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MAX_FIRST_PAGE)

    const scripts = files.filter((file) => /^assets\/.*\.js$/.test(file))
    const names = scripts.map((file) => file.replace(/^assets\/(.+)-.{8}\.js$/, '$1'))
    expect(names).toEqual(['rolldown-runtime', 'app'])
    // The first line tells browsers to compile the script while it downloads.
    const first = contentOf(scripts[1] as string).toString()
    expect(first.split('\n', 1)).toEqual(['//# allFunctionsCalledOnLoad'])
  })
})
