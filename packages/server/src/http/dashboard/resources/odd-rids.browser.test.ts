import { beforeAll, describe, expect, it } from 'vitest'
import { file, useResourcePages } from '../../../testing/browser/resource-pages.ts'
import { ODD_RIDS } from '../../../testing/odd-names.ts'

/** Those with a letter that means something in a URL. The API is tested with all of them. */
const RIDS = ODD_RIDS.filter((rid) => /[%/~.+\\?]/.test(rid))

describe('the pages of resources with odd rids with a browser', () => {
  const { server, app, editor, input, shown, title } = useResourcePages(() => editor.page)
  beforeAll(async () => {
    for (const [i, rid] of RIDS.entries()) await app.addResource(rid, { name: `Number ${i}` })
  })

  it.each(RIDS.map((rid, i) => [rid, `Number ${i}`]))(
    '%j is found, shown and changed',
    async (rid, name) => {
      const { page } = editor
      await editor.open(app, `resources?q=${encodeURIComponent(rid)}`)
      await page.getByRole('link', { name, exact: true }).click()
      await title(name)
      await input().setInputFiles(file('a.txt', 'a'))
      await shown('a.txt · 1 B')
      // The address of the page goes on working when it is opened anew.
      await page.reload()
      await title(name)
      await shown('a.txt · 1 B')
    },
  )

  it('complain about nothing on the way', () => expect(server.browserErrors).toEqual([]))
})
